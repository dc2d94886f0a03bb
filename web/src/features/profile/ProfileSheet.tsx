import { Eye } from "lucide-react";
import { type ReactNode, useState } from "react";
import { imageDel } from "@fava/wire/endpoints/images.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { call } from "#lib/api/call.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { Switch } from "#ui/Switch.tsx";
import { AvatarPart } from "./AvatarPart.tsx";
import { CropSheet } from "./CropSheet.tsx";
import { DiscardQuestion } from "./DiscardQuestion.tsx";
import { PhotoGrid } from "./PhotoGrid.tsx";
import { ProfileTexts, SaveBar } from "./ProfileForm.tsx";
import { ProfilePreview } from "./ProfilePreview.tsx";
import { ReadOnlyFacts } from "./ReadOnlyFacts.tsx";
import { type AvatarChange, useAvatar } from "./use-avatar.ts";
import { type OwnImagesView, useOwnImages } from "./use-own-images.ts";
import { type Photos, usePhotos } from "./use-photos.ts";
import { type ProfileEdit, useProfileEdit } from "./use-profile-edit.ts";
import styles from "./Profile.module.css";

/** The own profile: picture, facts, texts and photos (specification section 2, rules USER-50 to USER-61). */
export function ProfileSheet(): ReactNode {
  const user = useUser();
  return user && <OwnProfile key={user.user_id} user={user} />;
}

function OwnProfile({ user }: { user: OwnUser }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [showing, setShowing] = useState<"edit" | "preview">("edit");
  const edit = useProfileEdit(user);
  const own = useOwnImages(user);
  const photos = usePhotos(user.user_id, own);
  const avatar = useAvatar(user.user_id, own);
  const isUnsaved =
    edit.changes !== null || [photos.upload, avatar.upload.state].some(({ status }) => status === "sending");
  const shared = {
    onClose: () => closeOverlay("profile"),
    mayClose: () => {
      setAsking(isUnsaved);
      return !isUnsaved;
    },
  };
  const editView = useEditView({ user, edit, own, photos, avatar, onPreview: () => setShowing("preview") });
  const previewView = usePreviewView({ user, own, onBack: () => setShowing("edit") });
  return (
    <>
      <Sheet {...shared} {...(showing === "edit" ? editView : previewView)} />
      {avatar.picture && <CropSheet picture={avatar.picture} onUse={avatar.use} onClose={avatar.drop} />}
      {asking && <DiscardQuestion onKeep={() => setAsking(false)} onDiscard={() => closeOverlay("profile")} />}
    </>
  );
}

function useEditView(props: {
  user: OwnUser;
  edit: ProfileEdit;
  own: OwnImagesView;
  photos: Photos;
  avatar: AvatarChange;
  onPreview: () => void;
}): SheetProps {
  const t = useT();
  const { user, edit, own, avatar } = props;
  const waiting = own.images?.avatar ?? null;
  const removeNewest = (id: string) =>
    void own.change(() => call(imageDel, { user_id: user.user_id, id }, { quiet: true }));
  return {
    widthPx: 900,
    title: t("profile.title"),
    row: true,
    foot: <SaveBar edit={edit} />,
    children: (
      <div className={styles.own}>
        <div className={styles.side}>
          <AvatarPart
            user={user}
            newest={waiting}
            upload={avatar.upload.state}
            onFile={avatar.open}
            onStop={avatar.upload.stop}
            onRemove={() => waiting && removeNewest(waiting.id)}
          />
          <ReadOnlyFacts user={user} />
        </div>
        <div className={styles.main}>
          <ProfileTexts user={user} edit={edit} />
          {own.failed ? (
            <p className={styles.trouble}>
              {t("photo.loadFailed")}
              <Button size="small" onClick={own.reload}>
                {t("common.retry")}
              </Button>
            </p>
          ) : (
            <PhotoGrid photos={props.photos} />
          )}
          <Switch
            checked={edit.draft.searchable === 1}
            hint={t("profile.searchableHint")}
            onChange={(on) => edit.change({ searchable: on ? 1 : 0 })}
          >
            {t("profile.searchable")}
          </Switch>
          <Button size="small" icon={<Eye size={18} aria-hidden="true" />} onClick={props.onPreview}>
            {t("profile.preview")}
          </Button>
        </div>
      </div>
    ),
  };
}

function usePreviewView(props: { user: OwnUser; own: OwnImagesView; onBack: () => void }): SheetProps {
  const t = useT();
  return {
    widthPx: 480,
    title: t("profile.preview"),
    lead: t("profile.previewLead"),
    onBack: props.onBack,
    children: <ProfilePreview user={props.user} images={props.own.images} />,
  };
}
