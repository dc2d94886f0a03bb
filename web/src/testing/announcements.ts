/** Records every line of the two live regions from now on, with its urgency, oldest first. */
export function watchAnnouncements(): readonly string[] {
  const said: string[] = [];
  for (const urgency of ["polite", "assertive"]) {
    const region = document.getElementById(`said-${urgency}`);
    if (!region) throw new Error("the page lacks a live region");
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        // Without the marks that isolate the direction of a name.
        for (const node of addedNodes)
          said.push(`${urgency}: ${(node.textContent ?? "").replaceAll(/[\u2066-\u2069]/g, "")}`);
    });
    watch.observe(region, { childList: true });
  }
  return said;
}
