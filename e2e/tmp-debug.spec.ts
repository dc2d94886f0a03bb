import { test, signInHere } from "./support/looks.ts";
import { giveProfile } from "./support/people.ts";
import { befriend } from "./support/friends.ts";
import { startThread } from "./support/messages-panel.ts";
test("debug", async ({ visit }) => {
  const one = await visit("/", { devices: true });
  one.on("console", (m) => console.log("CONSOLE", m.type(), m.text()));
  one.on("response", (r) => {
    if (/at-home|sw\.js|manifest/.test(r.url())) console.log(r.url(), r.status());
  });
  await one.reload();
  await one.waitForTimeout(7000);
  console.log(
    await one.evaluate(
      () =>
        document.querySelector("link[rel=manifest]")?.getAttribute("href") +
        " " +
        performance
          .getEntriesByType("resource")
          .map((e) => e.name.split("/").pop())
          .join(" "),
    ),
  );
  await signInHere(one, { name: "Mila Sizes" });
  await giveProfile(one);
  const two = await visit("/", { devices: true });
  await signInHere(two, { name: "Noor Sizes" });
  await giveProfile(two);
  await befriend(one, two);
  await startThread(one, "Noor Sizes");
  await one.setViewportSize({ width: 390, height: 844 });
  await one.waitForTimeout(300);
  console.log(
    await one.evaluate(() => {
      const out: string[] = [];
      for (const e of document.querySelectorAll("*")) {
        const r = e.getBoundingClientRect();
        if (r.right > 390.5 || r.left < -0.5)
          out.push(`${e.tagName}.${e.className} ${r.left} ${r.right} ${e.closest("[inert]") ? "inert" : ""}`);
      }
      return document.documentElement.scrollWidth + "\n" + out.slice(0, 30).join("\n");
    }),
  );
});
