#include "batch.h"
#include "cli/outputs/outputs.h"
#include "io/files/visible.h"

#include <cJSON.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"left", "done", "skipped", "failed"};

/* Text of any bytes, as UTF-8. */
static void add_text(cJSON *object, const char *name, const char *text) {
    const size_t room = text ? 4 * strlen(text) + 1 : 1;
    char *shown = malloc(room);
    if (text && shown)
        cJSON_AddStringToObject(object, name, visible(text, shown, room));
    else
        cJSON_AddNullToObject(object, name);
    free(shown);
}

static void add_number(cJSON *object, const char *name, bool known, double value) {
    if (known)
        cJSON_AddNumberToObject(object, name, value);
    else
        cJSON_AddNullToObject(object, name);
}

static char *print(const struct halos_batch *batch) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", weft_version());
    cJSON_AddStringToObject(root, "command", batch->command);
    cJSON *list = cJSON_AddArrayToObject(root, "snapshots");
    for (int k = 0; k < batch->n; ++k) {
        const struct batch_result *result = &batch->result[k];
        const bool known = result->status == BATCH_DONE || result->status == BATCH_SKIPPED;
        cJSON *entry = cJSON_CreateObject();
        add_text(entry, "file", result->file);
        cJSON_AddStringToObject(entry, "status", words[result->status]);
        add_text(entry, "catalogue", result->output);
        add_number(entry, "halos", known, (double)result->halos);
        add_number(entry, "particles", known, (double)result->particles);
        cJSON_AddNumberToObject(entry, "seconds", result->seconds);
        add_text(entry, "message", result->message);
        cJSON_AddItemToArray(list, entry);
    }
    char *text = cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}

bool batch_write_summary(const struct halos_batch *batch, struct io_error *error) {
    return outputs_write_json(batch->options.summary, print(batch), "summary", error);
}
