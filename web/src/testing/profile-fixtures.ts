import type { OwnImage } from "@fava/wire/images.ts";
import type { OwnUser } from "@fava/wire/people.ts";
import type { OwnTalk } from "@fava/wire/talk.ts";
import type { Answers, FixtureWorld } from "#testing/fixture-world.ts";
import { portraitOf } from "#testing/fixtures.ts";

const dayMs = 86_400_000;

/** An image of the user that waits for its review. */
export function ownImage(id: string, change: Partial<OwnImage> = {}): OwnImage {
  const address = portraitOf(id);
  return { id, url: address, thumb: address, width: 300, height: 400, status: "pending", reason_id: null, ...change };
}

/** Profile and images of the signed-in user as a server stores them; an upload is shown as it was sent. */
export class OwnProfile {
  user: OwnUser;
  avatar: OwnImage | null = null;
  photos: OwnImage[] = [];
  talk: OwnTalk = { languages: [], interests: [], prefer: 1, leaves_out: [], leaves_out_max: 5 };
  readonly #server: Pick<FixtureWorld, "uploads">;
  readonly #uploaded = new Map<string, OwnImage>();

  constructor(server: Pick<FixtureWorld, "uploads">, user: OwnUser) {
    this.#server = server;
    this.user = user;
  }

  get answers(): Answers {
    return {
      myInfo: () => this.user,
      userUpdate: ({ avatar, nickname, ...change }) => {
        if (avatar !== undefined) this.avatar = this.#upload(avatar);
        if (nickname !== undefined) this.user = { ...this.user, nickname, nickname_next: Date.now() + 30 * dayMs };
        const { about = this.user.about, location = this.user.location, searchable = this.user.searchable } = change;
        this.user = { ...this.user, about, location, searchable };
        return this.user;
      },
      talkInfo: () => this.talk,
      talkUpdate: ({ languages, interests, prefer, leaves_out: leavesOut }) => {
        const { talk } = this;
        this.talk = {
          ...talk,
          languages: languages ?? talk.languages,
          interests: interests ?? talk.interests,
          prefer: prefer ?? talk.prefer,
          leaves_out: leavesOut ?? talk.leaves_out,
        };
        return this.talk;
      },
      newPhoto: () => this.#images,
      imageUpload: () => {
        const id = `picture-${this.#server.uploads.length}`;
        const address = addressOf(this.#server.uploads.at(-1) ?? new Uint8Array());
        const image = ownImage(id, { url: address, thumb: address });
        this.#uploaded.set(id, image);
        return image;
      },
      imageAdd: ({ id }) => {
        this.photos = [...this.photos, this.#upload(id)];
        return this.#images;
      },
      imageDel: ({ id }) => {
        if (this.avatar?.id === id) this.avatar = null;
        this.photos = this.photos.filter((photo) => photo.id !== id);
        return this.#images;
      },
      imageOrder: ({ ids }) => {
        this.photos = ids.split(",").flatMap((id) => this.photos.filter((photo) => photo.id === id));
        return this.#images;
      },
    };
  }

  get #images(): { avatar: OwnImage | null; photos: OwnImage[] } {
    return { avatar: this.avatar, photos: this.photos };
  }

  #upload(id: string): OwnImage {
    const image = this.#uploaded.get(id);
    if (!image) throw new Error(`no upload ${id}`);
    return image;
  }
}

function addressOf(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `data:image/jpeg;base64,${btoa(text)}`;
}
