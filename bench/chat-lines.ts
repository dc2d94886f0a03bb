import { loadavg } from "node:os";
import { ChatFilter } from "@fava/server/moderation/chat-filter.ts";
import { compileTextRules, scanText } from "@fava/server/moderation/text-service.ts";
import { noTextFindings } from "@fava/server/test/fakes/no-text-findings.ts";
import { systemClock } from "@fava/server/adapters/local/clock.ts";
import { percentile } from "./percentile.ts";
import type { BenchmarkOptions, BenchmarkReport } from "./report.ts";

/** What people say to a stranger; nothing in it is stopped. */
const linesByScript: Readonly<Record<string, readonly string[]>> = {
  "plain ASCII": ["hi, where are you from?", "I like the same music, it is so good", "what do you do all day? :)"],
  German: ["hallo, wie geht's? Schön, dich zu sehen", "ich wohne in einer kleinen Stadt am Meer, es ist schön"],
  Turkish: ["merhaba, nasılsın? çok güzel bir gün", "bu şarkıyı çok seviyorum, sen de öyle mi?"],
  Vietnamese: ["xin chào, bạn khỏe không?", "mình thích nghe nhạc và đi du lịch"],
  Cyrillic: ["привет, как дела? что делаешь сегодня", "я люблю гулять у моря, когда тепло"],
  Greek: ["γεια σου, τι κάνεις; όλα καλά εδώ", "μου αρέσει πολύ αυτή η μουσική"],
  Arabic: ["مرحبا كيف حالك اليوم؟ الجو جميل جدا هنا", "انا احب الموسيقى والسفر مع اصدقائي"],
  Devanagari: ["नमस्ते, आप कैसे हैं? मैं ठीक हूँ, धन्यवाद", "मुझे संगीत सुनना बहुत अच्छा लगता है"],
  Thai: ["สวัสดีครับ วันนี้ทำอะไรอยู่ อากาศดีมาก", "ชอบฟังเพลงและดูหนัง"],
  Chinese: ["你好，今天天气很好，我们可以聊聊音乐吗？", "我在上海工作，周末喜欢看电影。"],
  Japanese: ["こんにちは、元気ですか？今日はいい天気ですね", "音楽を聴くのが好きです。"],
  Korean: ["안녕하세요, 오늘 날씨가 참 좋네요 ㅋㅋㅋ", "저는 음악 듣는 걸 좋아해요"],
  "with pictures": ["love this song ❤️😂 so good", "good night 🌙 see you tomorrow 👋🏽"],
};
const rounds = 5;
const lineUsMax = 5;

/** A chat line through the filter of calls. */
export async function benchChatLines({ isQuick }: BenchmarkOptions): Promise<BenchmarkReport> {
  const linesEach = isQuick ? 300 : 3_000;
  await compileTextRules();
  const filter = new ChatFilter({ clock: systemClock, scan: scanText, log: noTextFindings });
  const us = new Map(Object.keys(linesByScript).map((script) => [script, [] as number[]]));
  for (let round = -1; round < rounds; round += 1)
    for (const [script, lines] of Object.entries(linesByScript)) {
      const tookUs = measure(filter, lines, linesEach);
      // The first round compiles.
      if (round >= 0) us.get(script)!.push(tookUs);
    }
  const median = (script: string) => percentile(us.get(script)!, 50);
  const scripts = Object.keys(linesByScript);
  return {
    title: `Chat lines: processor time of a line through the filter of calls, median of ${rounds} rounds`,
    columns: ["lines", "us a line", "of a line in plain ASCII"],
    rows: scripts.map((script) => [script, median(script), median(script) / median("plain ASCII")]),
    goals: scripts.map((script) => ({
      name: `${script}, a line`,
      unit: "us",
      better: "lower",
      reach: lineUsMax,
      measured: median(script),
    })),
    notes: [`load average at the end ${loadavg()[0]!.toFixed(1)}`],
  };
}

const speaker = { country: "DE", languages: ["en"] };
const context = { readerId: 0n, callId: "bench", clientId: "bench", writer: speaker, reader: speaker };

/** Microseconds of processor time a line. */
function measure(filter: ChatFilter, lines: readonly string[], times: number): number {
  const before = process.cpuUsage();
  for (let index = 0; index < times; index += 1)
    // Nobody says the same to five others.
    filter.evaluate({ ...context, userId: BigInt(index % 1_000) }, lines[index % lines.length]!);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}
