import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { showToast } from "#ui/toast-store.ts";

/** Copies the address of this page. */
export function CopyLinkButton(): ReactNode {
  const t = useT();
  return (
    <Button kind="outline" size="small" icon={<Link2 size={16} aria-hidden="true" />} onClick={() => void copyLink(t)}>
      {t("appeal.copyLink")}
    </Button>
  );
}

async function copyLink(t: Translate): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    showToast({ type: "success", text: t("appeal.copied") });
  } catch {
    // The browser refused; the text is that of the specification.
    showToast({ type: "error", text: t("common.copyFailed") });
  }
}
