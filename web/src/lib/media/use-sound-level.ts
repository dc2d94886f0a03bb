import { useEffect, useState } from "react";
import { openSoundContext } from "./sound-context.ts";

const pollMs = 100;
/** Speech fills the meter well below full scale. */
const gain = 4;

/** The loudness of the microphone, 0 to 1; 0 without a stream. */
export function useSoundLevel(stream: MediaStream | null): number {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    if (!stream || stream.getAudioTracks().length === 0) return undefined;
    const owner = new AbortController();
    const context = openSoundContext(owner.signal);
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
      setLevel(Math.min(1, Math.sqrt(power) * gain));
    }, pollMs);
    return () => {
      clearInterval(timer);
      setLevel(0);
      owner.abort();
    };
  }, [stream]);
  return level;
}
