declare module "*.po" {
  const words: Record<string, string | [string, string]>;
  export default words;
}

declare module "virtual:ink.css";
declare module "virtual:atlas.css";
