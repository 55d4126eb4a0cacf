declare module "*.po" {
  const words: Record<string, string | [string, string]>;
  export default words;
}

declare module "$games/*?sheet" {
  const drawn: string; // SVG
  export default drawn;
}

declare module "virtual:ink.css";
declare module "virtual:atlas.css";

declare module "$games/*.json" {
  const data: unknown;
  export default data;
}
