import { House, LifeBuoy, Video } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { buttonClass } from "#ui/Button.tsx";
import { Link } from "#ui/Link.tsx";
import { PageFrame } from "./PageFrame.tsx";
import styles from "./NotFound.module.css";

/** An unknown path, or one that the user's role may not open: the same text for both (rule GUARD-2). */
export function NotFound(): ReactNode {
  const t = useT();
  useDocumentTitle(t("page.notFound.title"));
  return (
    <PageFrame bare>
      <main className={styles.main}>
        <div>
          <p className={styles.code}>404</p>
          <h1>{t("page.notFound.title")}</h1>
          <p className={styles.lead}>{t("page.notFound.text")}</p>
          <nav className={styles.ways} aria-label={t("page.notFound.ways")}>
            <Link to="/" className={buttonClass({ kind: "go", size: "medium" })}>
              <Video size={20} fill="currentColor" aria-hidden="true" />
              {t("page.notFound.meet")}
            </Link>
            <Link to="/" className={buttonClass({ kind: "quiet", size: "medium" })}>
              <House size={20} aria-hidden="true" />
              {t("page.notFound.home")}
            </Link>
            <Link to="/safety" className={buttonClass({ kind: "quiet", size: "medium" })}>
              <LifeBuoy size={20} aria-hidden="true" />
              {t("page.safety")}
            </Link>
          </nav>
        </div>
        <EmptyRoom className={styles.art ?? ""} />
      </main>
    </PageFrame>
  );
}

/** An empty armchair and an empty local video. Decorative. */
function EmptyRoom({ className }: { className: string }): ReactNode {
  return (
    <svg className={className} viewBox="0 0 520 520" aria-hidden="true">
      <rect x="20" y="10" width="430" height="440" rx="36" fill="#8b9a86" />
      <g opacity=".9">
        <rect x="70" y="60" width="120" height="170" rx="4" fill="#dfe6d8" />
        <rect x="126" y="60" width="7" height="170" fill="#8b9a86" />
        <rect x="70" y="140" width="120" height="7" fill="#8b9a86" />
      </g>
      <rect x="300" y="120" width="110" height="8" fill="#5e6d5a" />
      <rect x="318" y="80" width="16" height="40" fill="#c9714f" />
      <rect x="338" y="70" width="14" height="50" fill="#e8dcc0" />
      <rect x="356" y="86" width="22" height="34" fill="#47564a" />
      <path d="M165 450V300c0-44 30-72 78-72s78 28 78 72v150z" fill="#c9714f" />
      <path d="M165 360h156v90H165z" fill="#b3603f" />
      <path
        d="M140 372c0-16 12-26 26-26s26 10 26 26v78h-52zM294 372c0-16 12-26 26-26s26 10 26 26v78h-52z"
        fill="#d88463"
      />
      <rect x="316" y="330" width="180" height="180" rx="30" fill="var(--bg)" />
      <rect x="324" y="338" width="164" height="164" rx="24" fill="#4b5a50" />
      <circle cx="406" cy="406" r="30" fill="#728375" />
      <path d="M346 502c4-40 28-58 60-58s56 18 60 58z" fill="#728375" />
    </svg>
  );
}
