// The text of a file that somebody chose.

const GZIP = [0x1f, 0x8b];

/** The text of a file; saves of jDip are compressed. */
export async function fileText(file: Blob): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (!GZIP.every((byte, at) => start[at] === byte)) return file.text();
  return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}

/** The endings of files with card packs. */
export const PACK_FILES = ".toml,.json,.txt";
