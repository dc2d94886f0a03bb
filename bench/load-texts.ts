/**
 * What the web app sends in a call, in the usual sizes: descriptions of 2.3 KB, candidates in two batches from each
 * side, and five short lines. Everything but the offer is JSON already.
 */
const codecLines = Array.from({ length: 32 }, (_, index) => {
  const payload = 96 + index;
  return `a=rtpmap:${payload} VP8/90000\r\na=rtcp-fb:${payload} nack pli\r\na=rtcp-fb:${payload} transport-cc\r\n`;
});

function description(setup: "actpass" | "active"): string {
  return [
    "v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\n",
    "m=video 9 UDP/TLS/RTP/SAVPF 96 97 98 99 100 101\r\nc=IN IP4 0.0.0.0\r\n",
    `a=ice-ufrag:EsAw\r\na=ice-pwd:bP+XJMM09aR8AiX1jdukzR6Y\r\na=setup:${setup}\r\na=mid:0\r\na=sendrecv\r\n`,
    ...codecLines,
  ]
    .join("")
    .slice(0, 2_300);
}

export const offerSdp = description("actpass");
export const answerSdp = JSON.stringify(description("active"));

export const candidateBatches = [0, 1].map((batch) =>
  JSON.stringify(
    [0, 1].map((index) => ({
      candidate: `candidate:${batch}${index} 1 udp 2122260223 192.0.2.${batch + 1} ${50_000 + index} typ host generation 0`,
      sdpMid: "0",
      sdpMLineIndex: 0,
      usernameFragment: "EsAw",
    })),
  ),
);

const lines = [
  "hi, how are you?",
  "I am from a small town near the sea, a bit like",
  "nice, what do you do there all day, something with",
  "mostly music and football on weekends, and sometimes",
  "ok have a good evening with your",
];
export const linesEach = lines.length;

/**
 * Endings of all lines but greetings, since the product detects users who send the same text to one partner after the
 * other.
 */
const endings =
  "apples birds bread bridges candles chess clouds coffee dogs drums films flowers forests gardens hats horses islands kites lakes lamps maps mountains novels paint pears poems rivers ships snow stories tea trains".split(
    " ",
  );

/** The lines of a person's call, in order; their next call has other lines. */
export function chatText(line: number, call: number): string | null {
  const text = lines[line];
  if (text === undefined) return null;
  const [first, second] = [call % endings.length, Math.floor(call / endings.length) % endings.length];
  return JSON.stringify(text.length < 20 ? text : `${text} ${endings[second]} ${endings[first]}`);
}
