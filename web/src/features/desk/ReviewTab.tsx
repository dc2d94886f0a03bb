import { type ReactNode, useEffect } from "react";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { prepareCall } from "#lib/api/prepared-call.ts";
import { isReachable } from "#lib/connection.ts";
import { t } from "#lib/i18n.ts";
import { showToast } from "#ui/toast-store.ts";
import { tellDeskFailure } from "./desk-format.ts";
import { refreshDeskInfo, useDeskSwitches } from "./desk-info.ts";
import { type PictureKind, type ReviewPorts, reviewStore } from "./review.ts";
import { ReviewPictures } from "./ReviewPictures.tsx";
import { useDeskStore } from "./machine-store.ts";

const ports: ReviewPorts = {
  call,
  prepare: prepareCall,
  tellFailure: tellDeskFailure,
  tellDecided: refreshDeskInfo,
  tellUnseen: () => showToast({ type: "info", text: t("desk.review.unseen") }),
};

/** Avatars or photos that wait for a person. What is pending is sent when the tab or the page is left. */
export function ReviewTab({ kind, user }: { kind: PictureKind; user: OwnUser }): ReactNode {
  const review = useDeskStore(() =>
    reviewStore({ userId: user.user_id, kind, ports, isOnline: isReachable(), isBlurred: true }),
  );
  const { blur } = useDeskSwitches();
  useEffect(() => review.dispatch({ type: "blur", isBlurred: blur }), [review, blur]);
  return <ReviewPictures review={review} kind={kind} />;
}
