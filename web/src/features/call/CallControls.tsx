import { ChevronsRight, Mic, MicOff, PhoneOff, Square, Video, VideoOff } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useLocalMedia } from "#lib/media/local-media.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { nextCall, setCamera, setMicrophone, stopCall } from "./call.ts";
import type { CallState } from "./call-state.ts";
import styles from "./CallScreen.module.css";

/** Switches at the start, End and Next at the end; while nobody is there, Stop alone. */
export function CallControls({ call }: { call: CallState }): ReactNode {
  const t = useT();
  const media = useLocalMedia();
  const cameraOn = media.status === "live" && media.cameraOn;
  const microphoneOn = media.status === "live" && media.microphoneOn;
  return (
    <div className={styles.controls} role="toolbar" aria-label={t("call.controls")}>
      <div className={styles.switches} data-fades="over-picture">
        <IconButton
          kind="filled"
          size="large"
          label={t("home.micMute")}
          aria-pressed={!microphoneOn}
          aria-keyshortcuts="M"
          icon={microphoneOn ? <Mic size={22} /> : <MicOff size={22} />}
          onClick={() => setMicrophone(!microphoneOn)}
        />
        <IconButton
          kind="filled"
          size="large"
          label={t("home.camMute")}
          aria-pressed={!cameraOn}
          aria-keyshortcuts="V"
          icon={cameraOn ? <Video size={22} /> : <VideoOff size={22} />}
          onClick={() => setCamera(!cameraOn)}
        />
      </div>
      {call.status === "searching" || call.status === "returning" ? (
        <button type="button" className={styles.stop} aria-keyshortcuts="Escape" onClick={stopCall}>
          <Square size={18} fill="currentColor" aria-hidden="true" />
          {t("search.stop")}
          <Kbd>Esc</Kbd>
        </button>
      ) : (
        <>
          <button
            type="button"
            className={styles.end}
            aria-label={t("call.end")}
            aria-keyshortcuts="Escape"
            onClick={stopCall}
          >
            <PhoneOff size={22} aria-hidden="true" />
            <span>{t("call.end")}</span>
            <Kbd>Esc</Kbd>
          </button>
          <button
            type="button"
            className={styles.next}
            data-fades="over-picture"
            aria-label={t("call.next")}
            aria-keyshortcuts="ArrowRight"
            onClick={nextCall}
          >
            <span>{t("call.next")}</span>
            <ChevronsRight size={26} strokeWidth={2.6} className="flip" aria-hidden="true" />
            <Kbd>→</Kbd>
          </button>
        </>
      )}
    </div>
  );
}
