// Of a source map's mappings those of the wanted sources: what is left maps to nothing, so that stacks show it as it is.

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const digitBits = 5;
const moreBit = 1 << digitBits;

/**
 * The map without the places of unwanted sources. Where such a place begins, one without a source tells that the place
 * before has ended.
 */
export function ownMappings(map, isWanted) {
  const wanted = map.sources.map(isWanted);
  // Of what was read and of what is written: source, line, column, name. Each is written as the step from the one before.
  const read = [0, 0, 0, 0];
  const written = [0, 0, 0, 0];
  const lines = map.mappings.split(";").map((line) => {
    let columnRead = 0;
    let columnWritten = 0;
    let wasWanted = false;
    const kept = [];
    for (const segment of line === "" ? [] : line.split(",")) {
      const [columnStep, ...steps] = decode(segment);
      columnRead += columnStep;
      steps.forEach((step, index) => (read[index] += step));
      const isKept = steps.length > 0 && wanted[read[0]];
      if (isKept || wasWanted) {
        const place = isKept ? steps.map((_, index) => read[index] - written[index]) : [];
        kept.push(encode([columnRead - columnWritten, ...place]));
        columnWritten = columnRead;
        if (isKept) steps.forEach((_, index) => (written[index] = read[index]));
      }
      wasWanted = isKept;
    }
    return kept.join(",");
  });
  return { ...map, mappings: lines.join(";") };
}

/** Base 64 VLQ: five bits a digit, the lowest first, and the sign in the lowest of all. */
function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const char of segment) {
    const digit = digits.indexOf(char);
    value |= (digit & (moreBit - 1)) << shift;
    shift += digitBits;
    if (digit & moreBit) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(numbers) {
  let text = "";
  for (const number of numbers) {
    let value = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const rest = value >>> digitBits;
      text += digits[(value & (moreBit - 1)) | (rest > 0 ? moreBit : 0)];
      value = rest;
    } while (value > 0);
  }
  return text;
}
