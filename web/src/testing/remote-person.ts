import type { Signal } from "@fava/wire/signals.ts";

declare global {
  interface Window {
    remotePerson: RemotePerson;
    /** Only Chromium has this. */
    MediaStreamTrackGenerator: new (options: { kind: "audio" }) => MediaStreamTrack;
  }
}

/** The partner in a call, in the same page: a real connection with a drawn video instead of a camera. */
export interface RemotePerson {
  /** Starts a new connection, and resolves to the offer of generation 0 with all its candidates. */
  offer(): Promise<string>;
  /** Handles a signal of the page; resolves to the signals that follow. */
  take(signal: Signal): Promise<readonly Signal[]>;
  /** Stops the video, as a broken network does. */
  stall(): void;
  /** Resumes the video. */
  flow(): void;
  /** Leaves without closing: draws and sends nothing more. */
  leave(): void;
}

/**
 * Installs a camera with a static drawn video and a silent microphone into a page, so that two screenshots are the same
 * and the browser needs no devices. The browser's permission still decides about their use. Injected before a page's
 * own scripts.
 */
export function installStillCamera(): void {
  const { mediaDevices } = navigator;
  // The provider's window is empty at first, and then has no `mediaDevices`.
  if (!mediaDevices) return;
  const list = (["audioinput", "videoinput", "audiooutput"] as const).map((kind) => {
    const labels = {
      audioinput: "Built-in Microphone",
      videoinput: "Built-in Camera",
      audiooutput: "Built-in Speakers",
    };
    return { kind, deviceId: kind, groupId: "built-in", label: labels[kind], toJSON: () => ({}) };
  });
  mediaDevices.enumerateDevices = () => Promise.resolve(list);
  mediaDevices.getUserMedia = async (wanted) => {
    const { state } = await navigator.permissions.query({ name: "camera" });
    if (state !== "granted") throw new DOMException("Permission denied", "NotAllowedError");
    const stream = new MediaStream();
    if (wanted?.audio) {
      stream.addTrack(silentMicrophone());
    }
    if (wanted?.video) {
      const [picture] = drawnCamera().getVideoTracks();
      if (picture) stream.addTrack(picture);
    }
    return stream;
  };

  /** A track without data: an audio context would give silence too, but runs the sound card's clock. */
  function silentMicrophone(): MediaStreamTrack {
    return new window.MediaStreamTrackGenerator({ kind: "audio" });
  }

  function drawnCamera(): MediaStream {
    const canvas = Object.assign(document.createElement("canvas"), { width: 160, height: 120 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    context.scale(0.25, 0.25);
    const stream = canvas.captureStream(5);
    const draw = () => {
      context.fillStyle = "#8a7a63";
      context.fillRect(0, 0, 640, 480);
      context.fillStyle = "#d9a884";
      context.beginPath();
      context.arc(320, 215, 105, 0, 7);
      context.fill();
      context.fillStyle = "#7d3f52";
      context.fillRect(150, 335, 340, 145);
    };
    draw();
    const [video] = stream.getVideoTracks();
    const timer = setInterval(() => (video?.readyState === "live" ? draw() : clearInterval(timer)), 200);
    return stream;
  }
}

/**
 * Installs `window.remotePerson` into a page. One self-contained function, so that it can also be injected before a
 * page's own scripts.
 */
export function installRemotePerson(): void {
  // Created on demand, because it takes the browser long, and few pages have a call.
  let connection: RTCPeerConnection | undefined;
  let picture: MediaStreamTrack | undefined;
  let sender: RTCRtpSender | undefined;
  let drawing: ReturnType<typeof setInterval> | undefined;

  window.remotePerson = {
    async offer() {
      clearInterval(drawing);
      connection?.close();
      connection = new RTCPeerConnection();
      const stream = drawnPicture();
      [picture] = stream.getVideoTracks();
      connection.addTransceiver("audio", { direction: "sendrecv" });
      ({ sender } = connection.addTransceiver(picture ?? "video", { direction: "sendrecv", streams: [stream] }));
      await connection.setLocalDescription(await connection.createOffer());
      await gathered(connection);
      return connection.localDescription?.sdp ?? "";
    },
    async take(signal) {
      connection ??= new RTCPeerConnection();
      switch (signal.type) {
        case "answer":
          if (connection.signalingState === "have-local-offer")
            await connection.setRemoteDescription({ type: "answer", sdp: signal.sdp });
          return [];
        case "candidates":
          for (const candidate of signal.candidates) await connection.addIceCandidate(candidate as RTCIceCandidateInit);
          return [];
        case "restart":
          await connection.setLocalDescription(await connection.createOffer({ iceRestart: true }));
          await gathered(connection);
          return [{ type: "offer", generation: signal.generation + 1, sdp: connection.localDescription?.sdp ?? "" }];
        case "offer":
          throw new Error("the page answers and must not make offers");
      }
    },
    stall: () => void sender?.replaceTrack(null),
    flow: () => void sender?.replaceTrack(picture ?? null),
    leave() {
      clearInterval(drawing);
      picture?.stop();
      connection?.close();
    },
  };

  function gathered(one: RTCPeerConnection): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => void (one.iceGatheringState === "complete" && resolve());
      one.addEventListener("icegatheringstatechange", settle);
      settle();
    });
  }

  /** A person before a wall, 320 x 240, five frames a second. */
  function drawnPicture(): MediaStream {
    const canvas = Object.assign(document.createElement("canvas"), { width: 320, height: 240 });
    const context = canvas.getContext("2d");
    if (!context) throw new Error("no canvas");
    const draw = () => {
      context.fillStyle = "#5d7f8f";
      context.fillRect(0, 0, 320, 240);
      context.fillStyle = "#e3bd9b";
      context.beginPath();
      context.arc(160, 105, 52, 0, 7);
      context.fill();
      context.fillStyle = "#2f3f4a";
      context.fillRect(80, 165, 160, 75);
    };
    draw();
    drawing = setInterval(draw, 200);
    return canvas.captureStream(5);
  }
}
