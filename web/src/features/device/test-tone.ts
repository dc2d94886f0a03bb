const toneSeconds = 0.5;
const toneHertz = 523;
const toneGain = 0.2;

/** Plays a short tone on a speaker, or on the default one where the browser cannot choose. */
export async function playTestTone(speakerId: string | null): Promise<void> {
  const context: AudioContext & { setSinkId?: (id: string) => Promise<void> } = new AudioContext();
  try {
    if (speakerId !== null) await context.setSinkId?.(speakerId);
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = toneHertz;
    volume.gain.setValueAtTime(toneGain, context.currentTime);
    volume.gain.linearRampToValueAtTime(0, context.currentTime + toneSeconds);
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + toneSeconds);
    await new Promise((ended) => tone.addEventListener("ended", ended));
  } finally {
    await context.close();
  }
}
