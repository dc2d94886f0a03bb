/** `rel` values of the links that a page loads after the first paint: its script with its imports... */
export const laterScript = "later-script";
/** ...and what the script will load. */
export const laterPart = "later-part";
/** The same of what a press on a button will load. */
export const pressPart = "press-part";

/** The attribute of an inlined style sheet with its file name, so that it is not loaded again. */
export const styleFile = "data-file";

/** Id of the element after the content of a page: half a page is not painted, because its other half would move it. */
const afterWords = "said-polite";

/** A page as `src/prerender.tsx` makes it. */
export interface PrerenderedPage {
  /** Path of the page in its language. */
  address: string;
  title: string;
  description: string;
  /** The alt text of the preview image. */
  pictureWords: string;
  direction: "ltr" | "rtl";
  /** The name by which `early.ts` identifies the page. */
  shell: string;
  /** The content of `#root`. */
  html: string;
  /** The sheet that opens before the page's script is loaded; empty: none. */
  sheet: string;
}

/** The built files that a page needs besides those of every page. */
export interface PageFiles {
  scripts: readonly string[];
  styles: readonly string[];
  /** Scripts and styles that a press will load. */
  press: readonly string[];
}

export interface PageDetails {
  language: string;
  page: PrerenderedPage;
  files: PageFiles;
}

/** Size of `public/share.png`. */
const picture = { path: "/share.png", width: 1_200, height: 630 } as const;

/**
 * Writes a page into the built `index.html`. The server fills in `{origin}` and `<!--alternates-->`, because it alone
 * knows its name and the offered languages, and the operator's facts.
 *
 * The content is in the page already, so its styles come first: `early.ts` starts the scripts after the first paint.
 */
export function pageHtml(template: string, { language, page, files }: PageDetails): string {
  const replacements: readonly (readonly [pattern: RegExp, text: string])[] = [
    [/<html [^>]*>/, `<html lang="${language}" dir="${page.direction}" data-shell="${escaped(page.shell)}">`],
    [/<title>.*?<\/title>/s, `<title>${escaped(page.title)}</title>`],
    [
      /(<meta\s+name="description"\s+content=)"[^"]*"\s*\/>/,
      `<meta name="description" content="${escaped(page.description)}" />`,
    ],
    [/\/manifest\/en\.webmanifest/, `/manifest/${language}.webmanifest`],
    [/<!--page-->/, headTags({ language, page, files })],
    [/<div id="root"><\/div>/, `<div id="root">${page.html}</div>${page.sheet}`],
  ];
  const whole = replacements.reduce((html, [pattern, text]) => {
    if (!pattern.test(html)) throw new Error(`index.html lacks ${pattern.source}`);
    return html.replace(pattern, () => text);
  }, template);
  return whole
    .replaceAll(/<script type="module"[^>]* src="([^"]+)"><\/script>/g, `<link rel="${laterScript}" href="$1" />`)
    .replaceAll(/<link rel="modulepreload"[^>]* href="([^"]+)"\s*\/?>/g, `<link rel="${laterScript}" href="$1" />`);
}

/**
 * Inlines the style sheets and the first script of a page: on a slow connection each of them is a round trip before the
 * first paint. The server allows exactly these by their hashes.
 *
 * @param read returns the text of a built file
 */
export function inlined(html: string, read: (file: string) => string): string {
  const text = (file: string, end: string) => {
    const found = read(file);
    // The server fills in names in braces (`server/src/edge/http/web-app.ts`).
    const forbidden = new RegExp(`</${end}|\\{(?:origin|languages|company|email|address)\\}`, "i").exec(found);
    if (forbidden) throw new Error(`${file} cannot be inlined in a page: it contains ${forbidden[0]}`);
    return found;
  };
  return html
    .replaceAll(
      /<link rel="stylesheet"[^>]* href="\/([^"]+)"\s*\/?>/g,
      (_tag, file: string) => `<style ${styleFile}="/${file}">${text(file, "style")}</style>`,
    )
    .replaceAll(
      /<script src="\/([^"]+)"><\/script>/g,
      (_tag, file: string) => `<script>${text(file, "script")}</script>`,
    );
}

/** The tag of the script that runs before the first paint. */
export function earlyScriptTag(file: string): string {
  return `<script src="/${file}"></script>`;
}

function headTags({ language, page, files }: PageDetails): string {
  const address = `{origin}${page.address}`;
  const graph: Readonly<Record<string, string>> = {
    type: "website",
    site_name: "Fava",
    locale: language.replace("-", "_"),
    title: page.title,
    description: page.description,
    url: address,
    image: `{origin}${picture.path}`,
    "image:width": String(picture.width),
    "image:height": String(picture.height),
    "image:alt": page.pictureWords,
  };
  return [
    `<link rel="expect" href="#${afterWords}" blocking="render" />`,
    `<link rel="canonical" href="${address}" />`,
    "<!--alternates-->",
    ...Object.entries(graph).map(([name, value]) => `<meta property="og:${name}" content="${escaped(value)}" />`),
    '<meta name="twitter:card" content="summary_large_image" />',
    ...files.styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}" />`),
    ...files.scripts.map((file) => `<link rel="${laterPart}" href="/${file}" />`),
    ...files.press.map((file) => `<link rel="${pressPart}" href="/${file}" />`),
  ].join("\n    ");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
