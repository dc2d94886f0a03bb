import { WifiOff } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useOnline } from "#lib/use-online.ts";
import { Banner } from "#ui/Banner.tsx";

/** Pushes the page down while there is no network; never a dialog. */
export function OfflineBar({ onTryNow }: { onTryNow: () => Promise<void> }): ReactNode {
  const t = useT();
  const online = useOnline();
  const [trying, setTrying] = useState(false);
  if (online) return null;
  const tryNow = async () => {
    setTrying(true);
    try {
      await onTryNow();
    } finally {
      setTrying(false);
    }
  };
  return (
    <Banner
      icon={<WifiOff size={18} />}
      action={
        <button type="button" aria-disabled={trying || undefined} onClick={() => void (trying || tryNow())}>
          {t("offline.now")}
        </button>
      }
    >
      {t("offline.text")}
    </Banner>
  );
}
