import { PictureInPicture2 } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useT } from "#lib/i18n.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { IconButton } from "#ui/IconButton.tsx";

/** Puts the other person's picture into a small window over everything, on a desktop that can (rule DEVICE-10). */
export function PictureInPictureButton({ video }: { video: RefObject<HTMLVideoElement | null> }): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const follow = () => setOpen(document.pictureInPictureElement !== null);
    follow();
    document.addEventListener("enterpictureinpicture", follow);
    document.addEventListener("leavepictureinpicture", follow);
    return () => {
      document.removeEventListener("enterpictureinpicture", follow);
      document.removeEventListener("leavepictureinpicture", follow);
    };
  }, []);
  if (isMobile || !document.pictureInPictureEnabled) return null;
  async function toggle(): Promise<void> {
    try {
      if (isOpen) await document.exitPictureInPicture();
      else await video.current?.requestPictureInPicture();
    } catch (error) {
      // The browser may refuse, as before the first frame.
      console.info("no picture in picture", error);
    }
  }
  return (
    <IconButton
      kind="video"
      label={t("call.pip")}
      aria-pressed={isOpen}
      icon={<PictureInPicture2 size={20} className="flip" />}
      onClick={() => void toggle()}
    />
  );
}
