/* Heads of a tile that are bits in local memory, as tile_warps.cl reads them. */
#define weft_heads_PARAMETERS , __local const u32 *weft_bits, const index_t weft_begin
#define weft_heads_ARGUMENTS , weft_bits, weft_begin
static inline u32 weft_heads(const index_t i weft_heads_PARAMETERS)
{
    return weft_bits[(i - weft_begin) / 32] >> (i - weft_begin) % 32 & 1;
}
