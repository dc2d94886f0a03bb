import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";

/** A link to terms or privacy policy: a new window on a desktop, where no input is lost, and a page on a phone. */
export function DocumentLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  if (isMobile) return <a href={href}>{children}</a>;
  return (
    <a href={href} target="_blank" rel="noopener">
      {children}
      <VisuallyHidden> ({t("common.newWindow")})</VisuallyHidden>
    </a>
  );
}
