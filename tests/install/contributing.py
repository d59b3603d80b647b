"""usage: contributing.py

Puts the code that stands in CONTRIBUTING.md for a center and a column where it says, in this folder, a copy of the tree.
"""
import re
page = open("CONTRIBUTING.md").read()
blocks = re.findall(r"```(c|man)\n(.*?)```", page, re.S)
code = {}
for kind, text in blocks:
    if kind == "c":
        code[re.match(r"/\* (.*?)(:| \*/)", text).group(1)] = text
man = "".join(text for kind, text in blocks if kind == "man")

def replace(path, old, new):
    text = open(path).read()
    assert text.count(old) == 1, (path, old)
    open(path, "w").write(text.replace(old, new))

open("cli/halos/centers/dense.c", "w").write(code["cli/halos/centers/dense.c"])
replace("cli/meson.build", "'poisson']", "'poisson', 'dense']")
table = "static const struct row {"
replace("cli/halos/measure.c", table, code["cli/halos/measure.c"] + "\n" + table)
row = code["rows of cli/halos/measure.c"].split("\n", 1)[1]
text = open("cli/halos/measure.c").read()
end = text.index("\n};\n", text.index(table))
open("cli/halos/measure.c", "w").write(text[: end + 1] + row + text[end + 1 :])
replace("docs/man/weft-halos.1", ".It mcp_id , mcp_position\n", man + ".It mcp_id , mcp_position\n")
replace("docs/man/weft-halos.1", ".Cm mcp\nis the most", ".Cm dense\nis the densest particle.\n.Cm mcp\nis the most")
