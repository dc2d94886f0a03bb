import { describe, expect, test } from "vitest";
import type { Mail, Mailer } from "#ports/mailer.ts";

/** A mail as its receiver's program reads it. */
export interface ReceivedMail {
  /** From the envelope. */
  readonly to: readonly string[];
  /** Unfolded, by name in small letters. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

export interface MailerWorld {
  mailer: Mailer;
  received: () => readonly ReceivedMail[];
}

export const exampleMail: Mail = {
  id: "7.abc@fava.test",
  to: "ana@example.org",
  subject: "Our answer to your appeal",
  text: "We read your appeal.\n\nIt’s over.\n",
  html: "<p>We read your appeal.</p>\n<p>It’s over.</p>\n",
  stopUrl: "https://fava.test/api/mail/stop?token=stop.7.1.0.x&language=en",
  at: new Date("2026-11-29T12:00:00Z"),
};

/** Contract of `Mailer`; `open` opens an adapter with an empty mailbox for each test. */
export function mailerContract(name: string, open: () => Promise<MailerWorld & AsyncDisposable>): void {
  describe(`mailer: ${name}`, () => {
    test("[MAIL-7] delivers text, HTML, identity and the one-click link unchanged", async () => {
      await using world = await open();
      expect(await world.mailer.send(exampleMail)).toBe("sent");
      const [mail] = world.received();
      expect(mail).toMatchObject({ to: ["ana@example.org"], text: exampleMail.text, html: exampleMail.html });
      const headers = Object.fromEntries(mail?.headers ?? []);
      expect(headers).toMatchObject({
        "message-id": `<${exampleMail.id}>`,
        subject: exampleMail.subject,
        "auto-submitted": "auto-generated",
        "list-unsubscribe": `<${exampleMail.stopUrl}>`,
        "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      });
    });

    test("[MAIL-7] offers no way to stop a mail that is always sent", async () => {
      await using world = await open();
      expect(await world.mailer.send({ ...exampleMail, stopUrl: null })).toBe("sent");
      expect([...(world.received()[0]?.headers.keys() ?? [])].filter((key) => key.startsWith("list-"))).toEqual([]);
    });

    test("sends the same mail again with the same Message-ID", async () => {
      await using world = await open();
      await world.mailer.send(exampleMail);
      await world.mailer.send(exampleMail);
      const ids = world.received().map(({ headers }) => headers.get("message-id"));
      expect(ids).toEqual([`<${exampleMail.id}>`, `<${exampleMail.id}>`]);
    });

    test("converts a domain of another script, in any letters, to its name in the DNS", async () => {
      await using world = await open();
      for (const to of ["ana@bücher.example", "ana@BÜCHER.example", "ana@xn--bcher-kva.example"])
        expect(await world.mailer.send({ ...exampleMail, to })).toBe("sent");
      expect(new Set(world.received().flatMap(({ to }) => to))).toEqual(new Set(["ana@xn--bcher-kva.example"]));
    });

    test.each([
      "",
      "ana",
      "@example.org",
      "ana@",
      "ana@example",
      "ana@example.org, bo@example.org",
      "ana@example.org\r\nBcc: bo@example.org",
      "ana\r\nRCPT TO:<bo@example.org>@example.org",
      "ana@example.org\0",
      "Ana <ana@example.org>",
      '"ana bo"@example.org',
      "ana bo@example.org",
      "ana@exa mple.org",
      "аna@example.org",
      `${"a".repeat(65)}@example.org`,
      `ana@${"a".repeat(250)}.org`,
    ])("[MAIL-8] sends nothing to %j", async (to) => {
      await using world = await open();
      expect(await world.mailer.send({ ...exampleMail, to })).toBe("bounced");
      expect(world.received()).toEqual([]);
    });

    test("[MAIL-8] lets no part of a mail write a header of its own", async () => {
      await using world = await open();
      const attack = "Hello\r\nBcc: bo@example.org\r\n\r\nText";
      const outcome = await world.mailer.send({
        ...exampleMail,
        subject: attack,
        id: "7@fava.test",
        text: `.\r\n${attack}`,
      });
      expect(outcome).toBe("sent");
      const [mail, ...others] = world.received();
      expect(others).toEqual([]);
      expect(mail?.to).toEqual(["ana@example.org"]);
      expect(mail?.headers.has("bcc")).toBe(false);
      expect(mail?.text.replaceAll("\r\n", "\n").trimEnd()).toBe(`.\n${attack.replaceAll("\r\n", "\n")}`);
    });

    test("[MAIL-8] carries lines of any length and script", async () => {
      await using world = await open();
      const long = "x".repeat(3_000);
      const text = `${long}\nمرحبا\n你好\n`;
      expect(await world.mailer.send({ ...exampleMail, subject: "你的申诉有了答复".repeat(20), text })).toBe("sent");
      const [mail] = world.received();
      expect(mail?.text).toBe(text);
      expect(mail?.headers.get("subject")).toBe("你的申诉有了答复".repeat(20));
    });
  });
}
