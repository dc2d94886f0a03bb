import { type ReactNode, useCallback, useState } from "react";
import { goTo } from "#lib/address.ts";
import { useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { AppealsTab } from "./AppealsTab.tsx";
import { DeskHeader } from "./DeskHeader.tsx";
import type { DeskTab } from "./desk-tabs.ts";
import { FiguresTab } from "./FiguresTab.tsx";
import { FindSheet } from "./FindSheet.tsx";
import { FoundPerson } from "./FoundPerson.tsx";
import { InspectionNote } from "./InspectionNote.tsx";
import { ReportsTab } from "./ReportsTab.tsx";
import { ReviewTab } from "./ReviewTab.tsx";
import { useDeskKeys } from "./use-desk-keys.ts";
import styles from "./DeskPage.module.css";

/** The desk of the moderators: one page with five tabs. */
export function DeskPage({ tab }: { tab: DeskTab }): ReactNode {
  const t = useT();
  const user = useUser();
  const [finding, setFinding] = useState(false);
  const [foundId, setFoundId] = useState<number | null>(null);
  const closePerson = useCallback(() => setFoundId(null), []);
  const title = t(`desk.title.${tab}`);
  useDocumentTitle(title);
  useDeskKeys((key) => {
    if (key !== "find") return false;
    setFinding(true);
    return true;
  });
  if (!user) return null;
  return (
    <div className={styles.page}>
      <DeskHeader tab={tab} user={user} onFind={() => setFinding(true)} />
      <InspectionNote />
      <main className={styles.main}>
        <h1 className="visually-hidden">{title}</h1>
        {tab === "reports" && <ReportsTab user={user} />}
        {tab === "avatars" && <ReviewTab key={tab} kind="avatars" user={user} />}
        {tab === "photos" && <ReviewTab key={tab} kind="photos" user={user} />}
        {tab === "appeals" && <AppealsTab user={user} />}
        {tab === "figures" && <FiguresTab user={user} />}
      </main>
      {finding && (
        <FindSheet
          user={user}
          onCase={(id) => goTo(`/reportReview?case=${encodeURIComponent(id)}`)}
          onPerson={setFoundId}
          onClose={() => setFinding(false)}
        />
      )}
      {foundId !== null && <FoundPerson personId={foundId} user={user} onClose={closePerson} />}
    </div>
  );
}
