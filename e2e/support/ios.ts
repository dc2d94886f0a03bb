declare global {
  interface Window {
    /** Mutes the track of the camera in use, or the reverse. */
    setCameraMuted: (isMuted: boolean) => void;
    soundOfTheTest: { contexts: number; looks: number; notes: number };
  }
}

// What iOS does and no other browser here. Each runs in a page before its own scripts.

/** The volume of a video is always 1. */
export function fixVolume(): void {
  Object.defineProperty(HTMLMediaElement.prototype, "volume", { get: () => 1, set() {} });
}

/** Sound contexts are suspended until a press resumes them. Counts looks at their state, and started notes. */
export function suspendSound(): void {
  const sound = { contexts: 0, looks: 0, notes: 0 };
  window.soundOfTheTest = sound;
  // Playwright activates a page of Firefox with each script, so only events count as presses.
  let isPressed = false;
  const press = () => {
    isPressed = true;
    setTimeout(() => (isPressed = false));
  };
  for (const name of ["pointerup", "click", "keydown"]) window.addEventListener(name, press, { capture: true });
  window.AudioContext = class extends AudioContext {
    #isResumed = false;

    constructor(options?: AudioContextOptions) {
      super(options);
      sound.contexts += 1;
    }

    override get state(): AudioContextState {
      sound.looks += 1;
      return this.#isResumed ? "running" : "suspended";
    }

    override async resume(): Promise<void> {
      if (!isPressed) throw new DOMException("no press", "NotAllowedError");
      this.#isResumed = true;
      this.dispatchEvent(new Event("statechange"));
    }
  };
  window.OscillatorNode = class extends OscillatorNode {
    override start(when?: number): void {
      sound.notes += 1;
      super.start(when);
    }
  };
}

/** Lets a test mute the camera's track as for a phone call: it stays live, and sends nothing new. */
export function mutableCamera(): void {
  const { mediaDevices } = navigator;
  // The provider's window, empty at first, has none.
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    for (const track of stream.getVideoTracks()) {
      // In Firefox no dispatched event reaches the listeners of a camera's track.
      const listeners = new EventTarget();
      track.addEventListener = listeners.addEventListener.bind(listeners);
      window.setCameraMuted = (isMuted) => {
        Object.defineProperty(track, "muted", { value: isMuted, configurable: true });
        listeners.dispatchEvent(new Event(isMuted ? "mute" : "unmute"));
      };
    }
    return stream;
  };
}
