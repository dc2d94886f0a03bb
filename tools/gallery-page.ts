/** A picture of the gallery, with its file name `name.language.size.theme.png` and the result of the comparison. */
export interface Picture {
  readonly file: string;
  readonly verdict: "same" | "new" | "changed";
}

/** The HTML page that shows the pictures; it lies beside the folders `now`, `accepted` and `difference`. */
export function galleryPage(pictures: readonly Picture[]): string {
  const changed = pictures.filter(({ verdict }) => verdict === "changed");
  const names = [...new Set(pictures.map(({ file }) => nameOf(file)))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fava: gallery</title>
<style>${styles}</style>
<h1>Gallery</h1>
<p>${pictures.length} pictures of ${names.length} views. ${changed.length} differ from the accepted ones.</p>
${changed.map(({ file }) => comparison(file)).join("\n")}
${names.map((name) => view(name, pictures)).join("\n")}
</html>
`;
}

function comparison(file: string): string {
  return `<section class="changed"><h2>${file} has changed</h2><div>
${figure("accepted", file, "before")}${figure("now", file, "now")}${figure("difference", file, "where they differ")}
</div></section>`;
}

function view(name: string, pictures: readonly Picture[]): string {
  const shown = pictures.filter(({ file }) => nameOf(file) === name);
  return `<section id="${name}"><h2><a href="#${name}">${name}</a></h2><div>
${shown.map(({ file, verdict }) => figure("now", file, `${file.slice(name.length + 1, -4)}${verdict === "new" ? ", new" : ""}`)).join("")}
</div></section>`;
}

function figure(folder: string, file: string, words: string): string {
  const size = file.includes(".phone") ? "phone" : "desktop";
  const path = `${folder}/${file}`;
  return `<figure class="${size}"><a href="${path}"><img loading="lazy" src="${path}" alt="${file}"></a><figcaption>${words}</figcaption></figure>\n`;
}

function nameOf(file: string): string {
  return file.split(".")[0] ?? file;
}

const styles = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem; background: #ddd; color: #111; }
section > div { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; }
.changed { border-inline-start: 6px solid #b40; padding-inline-start: 1rem; }
figure { margin: 0; }
figure.desktop img { width: 640px; }
figure.phone img { width: 195px; }
img { border: 1px solid #888; background: #fff; }
`;
