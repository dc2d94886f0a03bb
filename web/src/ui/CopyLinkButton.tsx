import { Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy-text.ts";

/** Copies the address of this page. */
export function CopyLinkButton(): ReactNode {
  const t = useT();
  return (
    <Button
      kind="outline"
      size="small"
      icon={<Link2 size={16} aria-hidden="true" />}
      onClick={() => void copyText(t, window.location.href, "appeal.copied")}
    >
      {t("appeal.copyLink")}
    </Button>
  );
}
