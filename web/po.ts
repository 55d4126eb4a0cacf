// Catalogues: the gettext files of `src/powderkeg/locale` become modules, so that the browser
// speaks from the same files as everything else and translators need to know one format only.
import type { Plugin } from "vite";

export type Catalogue = Record<string, string | [string, string]>;

/** The entries of a .po file: a text for a code, or two where the number decides. */
export function parsePo(source: string): Catalogue {
  const words: Catalogue = {};
  for (const block of source.replaceAll("\r", "").split(/\n\s*\n/)) {
    const fields = fieldsOf(block);
    const code = fields["msgid"];
    if (!code) continue;
    words[code] =
      "msgid_plural" in fields
        ? [fields["msgstr[0]"] ?? "", fields["msgstr[1]"] ?? ""]
        : (fields["msgstr"] ?? "");
  }
  return words;
}

function fieldsOf(block: string): Record<string, string> {
  const fields: Record<string, string> = {};
  let current = "";
  for (const line of block.split("\n")) {
    const found = /^(?:(msg\S+)\s+)?(".*")\s*$/.exec(line);
    if (!found || !found[2]) continue;
    current = found[1] ?? current;
    fields[current] = (fields[current] ?? "") + (JSON.parse(found[2]) as string);
  }
  return fields;
}

export function po(): Plugin {
  return {
    name: "po",
    transform(source, id) {
      if (!id.endsWith(".po")) return null;
      return { code: `export default ${JSON.stringify(parsePo(source))}`, map: null };
    },
  };
}
