import { Eye, Lock, MessagesSquare, UserRound } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { imageDel } from "@fava/wire/endpoints/images.ts";
import { myWeek } from "@fava/wire/endpoints/social.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import { request } from "#lib/api/request.ts";
import { formatDay } from "#lib/format-date.ts";
import { formatNumber, formatSpan } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { RichText } from "#lib/rich-text.tsx";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Sheet, type SheetProps } from "#ui/Sheet.tsx";
import { Switch } from "#ui/Switch.tsx";
import { AvatarPart } from "./AvatarPart.tsx";
import { CropSheet } from "./CropSheet.tsx";
import { PhotoGrid } from "./PhotoGrid.tsx";
import { ProfileTexts, SaveBar } from "./ProfileForm.tsx";
import { TalkForm, TalkSaveBar } from "./TalkForm.tsx";
import { type AvatarChange, useAvatar } from "./use-avatar.ts";
import { type OwnImages, type OwnImagesView, useOwnImages } from "./use-own-images.ts";
import { type Photos, usePhotos } from "./use-photos.ts";
import { type ProfileEdit, useProfileEdit } from "./use-profile-edit.ts";
import { type TalkEdit, useTalkEdit } from "./use-talk-edit.ts";
import styles from "./Profile.module.css";

/** The user's own profile: avatar, facts, texts and photos. */
export function ProfileSheet(): ReactNode {
  const user = useUser();
  return user && <OwnProfile key={user.user_id} user={user} />;
}

function OwnProfile({ user }: { user: OwnUser }): ReactNode {
  const [asking, setAsking] = useState(false);
  const [showing, setShowing] = useState<"edit" | "preview" | "talk">("edit");
  const edit = useProfileEdit(user);
  const own = useOwnImages(user);
  const photos = usePhotos(user.user_id, own);
  const avatar = useAvatar(user.user_id, own);
  const talk = useTalkEdit(showing === "talk" ? user : null);
  const isUnsaved =
    edit.changes !== null ||
    talk.isChanged ||
    [photos.upload, avatar.upload.state].some(({ status }) => status === "sending");
  const shared = {
    onClose: () => closeOverlay("profile"),
    mayClose: () => {
      setAsking(isUnsaved);
      return !isUnsaved;
    },
  };
  const views = {
    edit: useEditView({ user, edit, own, photos, avatar, onShow: setShowing }),
    preview: usePreviewView({ user, own, onBack: () => setShowing("edit") }),
    talk: useTalkView(talk, () => setShowing("edit")),
  };
  return (
    <>
      <Sheet {...shared} {...views[showing]} />
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
  onShow: (view: "preview" | "talk") => void;
}): SheetProps {
  const t = useT();
  const { user, edit, own, avatar } = props;
  const waiting = own.images?.avatar ?? null;
  const removeNewest = (id: string) => void own.change(() => request(imageDel, { user_id: user.user_id, id }));
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
          <Week userId={user.user_id} />
        </div>
        <div className={styles.main}>
          <ProfileTexts user={user} edit={edit} />
          {own.failed ? (
            <LoadFailure text={t("photo.loadFailed")} onRetry={own.reload} />
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
          <Switch
            checked={edit.draft.ringable === 1}
            hint={t("ring.friendsMayHint")}
            onChange={(on) => edit.change({ ringable: on ? 1 : 0 })}
          >
            {t("ring.friendsMay")}
          </Switch>
          <Button
            size="small"
            icon={<MessagesSquare size={18} aria-hidden="true" />}
            onClick={() => props.onShow("talk")}
          >
            {t("talk.title")}
          </Button>
          <Button size="small" icon={<Eye size={18} aria-hidden="true" />} onClick={() => props.onShow("preview")}>
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

function useTalkView(talk: TalkEdit, onBack: () => void): SheetProps {
  const t = useT();
  return {
    widthPx: 560,
    title: t("talk.title"),
    lead: t("talk.lead"),
    row: true,
    onBack,
    foot: <TalkSaveBar talk={talk} onSaved={onBack} />,
    children: <TalkForm talk={talk} />,
  };
}

/** Asks before unsaved changes are lost; the safe answer has the focus. */
function DiscardQuestion({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }): ReactNode {
  const t = useT();
  const keep = useRef<HTMLButtonElement>(null);
  return (
    <Sheet
      alert
      widthPx={440}
      title={t("profile.discardTitle")}
      lead={t("profile.discardText")}
      initialFocus={keep}
      onClose={onKeep}
      foot={
        <>
          <Button ref={keep} kind="ink" block onClick={onKeep}>
            {t("profile.keepEditing")}
          </Button>
          <Button block onClick={onDiscard}>
            {t("profile.discard")}
          </Button>
        </>
      }
    />
  );
}

/** The profile as others see it: what is stored and approved, never a draft. */
function ProfilePreview({ user, images }: { user: OwnUser; images: OwnImages | undefined }): ReactNode {
  const t = useT();
  const photos = images?.photos.filter((photo) => photo.status === "approved") ?? [];
  return (
    <>
      <div className={styles.hero}>
        {user.avatar === "" ? <UserRound size={96} aria-hidden="true" /> : <img src={user.avatar} alt="" />}
        <div>
          <b dir="auto" translate="no">
            {user.nickname}
          </b>
          <span>
            <Flag src={user.country_flag} widthPx={20} />
            <bdi>{[user.country_name, user.location].filter(Boolean).join(", ")}</bdi>
          </span>
        </div>
      </div>
      {user.about === "" ? (
        <p className={styles.noAbout}>{t("profile.previewNoAbout")}</p>
      ) : (
        <p className={styles.about} dir="auto">
          {user.about}
        </p>
      )}
      {photos.length > 0 && (
        <ul className={styles.shownPhotos} aria-label={t("profile.photos")}>
          {photos.map((photo, index) => (
            <li key={photo.id}>
              <img src={photo.thumb} alt={t("photo.name", { n: formatNumber(index + 1) })} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Facts that cannot be changed, as text with a lock, and why. */
function ReadOnlyFacts({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const sexes = { 0: t("profile.notGiven"), 1: t("gender.male"), 2: t("gender.female") } as const;
  return (
    <section className={styles.locked} aria-label={t("profile.facts")}>
      <dl>
        <Fact name={t("profile.gender")} locked>
          {sexes[user.sex]}
        </Fact>
        <Fact name={t("profile.birthday")} locked>
          {user.birthday === "" ? t("profile.notGiven") : formatDay(user.birthday)}
        </Fact>
        <Fact name={t("profile.country")} locked>
          <Flag src={user.country_flag} widthPx={20} />
          {user.country_name}
        </Fact>
        <Fact name={t("profile.number")}>
          <bdi dir="ltr" translate="no">
            {user.user_no.replace(/^(\d{4})(\d{4})$/, "$1 $2")}
          </bdi>
        </Fact>
      </dl>
      <p>
        <RichText
          id="profile.why"
          tags={{
            contact: (text) => (
              <button type="button" className={styles.link} onClick={() => void openOverlay("contact")}>
                {text}
              </button>
            ),
          }}
        />
      </p>
    </section>
  );
}

/** What the user's own calls of the last 7 days come to; nothing without a call. */
function Week({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const { data } = useEndpointQuery(myWeek, { user_id: userId });
  if (!data || data.people === 0) return null;
  return (
    <section className={styles.locked} aria-labelledby={weekId}>
      <h3 id={weekId}>{t("profile.week")}</h3>
      <dl>
        <Fact name={t("profile.weekPeople")}>{formatNumber(data.people)}</Fact>
        <Fact name={t("profile.weekCountries")}>{formatNumber(data.countries)}</Fact>
        <Fact name={t("profile.weekTime")}>{formatSpan(data.seconds)}</Fact>
      </dl>
      <p>{t("profile.weekText")}</p>
    </section>
  );
}

const weekId = "profile-week";

function Fact({ name, locked, children }: { name: string; locked?: boolean; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {locked && <Lock size={14} aria-hidden="true" />}
      </dd>
    </div>
  );
}
