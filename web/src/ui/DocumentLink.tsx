import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";

/**
 * A link to a document such as the terms. On a desktop it opens a new window, so that no input is lost; on a phone a
 * page.
 */
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
