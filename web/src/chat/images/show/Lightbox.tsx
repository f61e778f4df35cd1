import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { dayLabel, timeOfDay } from '../../../browser/times.ts';
import { readFile } from '../../../net/fileTransfer.ts';
import { Hidden } from '../../../ui/Hidden.tsx';
import { Icon, Shape } from '../../../ui/Icon.tsx';
import { Spinner } from '../../../ui/Spinner.tsx';
import { saveFile, saveUrl } from '../../../ui/saveFile.ts';
import { useModalDialog } from '../../../ui/useModalDialog.ts';
import type { Entry, Media } from '../../model/entries.ts';
import { imageLabel } from '../pick/imageLabel.ts';
import { AddressesContext } from './addressesContext.ts';
import styles from './Lightbox.module.css';
import { useAddress } from './useAddress.ts';
import { useGestures } from './useGestures.ts';
import type { View } from './zoom.ts';

const glass = ['M11 4.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 1 0 0-13', 'm15.8 15.8 4.2 4.2', 'M8.5 11h5'];
const glassPlus = [...glass, 'M11 8.5v5'];

const save = ['M12 4v11', 'm7 11 5 5 5-5', 'M5 20h14'];

/** How far an arrow key moves a zoomed image. */
const PAN_PX = 80;
const PANS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: PAN_PX, y: 0 },
  ArrowRight: { x: -PAN_PX, y: 0 },
  ArrowUp: { x: 0, y: PAN_PX },
  ArrowDown: { x: 0, y: -PAN_PX },
};

/** The next image is where the text goes on. */
const FORWARD = document.dir === 'rtl' ? -1 : 1;
const STEPS: Record<string, number> = {
  ArrowLeft: -FORWARD,
  ArrowRight: FORWARD,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};
const ZOOMS: Record<string, number> = { '+': 1.5, '=': 1.5, '-': 1 / 1.5 };

type LightboxProps = {
  entries: readonly Entry[];
  /** The key of the image to show first. */
  at: string;
  me: Entry['sender'];
  /** The name of the other side. */
  name: string;
  onClose: () => void;
};

export function Lightbox({ entries, at, me, name, onClose }: LightboxProps) {
  const dialog = useModalDialog();
  const stage = useRef<HTMLDivElement>(null);
  const picture = useRef<HTMLImageElement>(null);
  const addresses = useContext(AddressesContext);
  const [key, setKey] = useState(at);
  const pictures = picturesOf(entries);
  // The current image may leave the thread's window while it is shown.
  const [kept] = useState(() => new Map<string, (typeof pictures)[number]>());
  for (const one of pictures) kept.set(one.key, one);
  const place = pictures.findIndex((one) => one.key === key);
  const shown = kept.get(key);
  const { view, pulled, toggle, reset, zoomBy, moveBy, onPress, strayed, pointerHandlers } = useGestures({
    stage,
    picture,
    onSwipe: go,
  });

  // Preloads the images on both sides.
  const beside = [pictures[place - 1], pictures[place + 1]].map((one) => one?.media.mediaUrl);
  const ahead = beside.join(' ');
  useEffect(() => {
    for (const mediaUrl of ahead.split(' ').filter(Boolean)) {
      void addresses?.get(mediaUrl).then((url) => {
        if (url) new Image().src = url;
      });
    }
  }, [ahead, addresses]);

  function go(by: number): void {
    const to = pictures[Math.min(Math.max(place + by, 0), pictures.length - 1)];
    if (!to || to.key === key) return;
    setKey(to.key);
    reset();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Do not trigger shortcuts of the page behind.
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pan = view.scale > 1 ? PANS[event.key] : undefined;
    const step = STEPS[event.key];
    const zoom = ZOOMS[event.key];
    if (!pan && step === undefined && zoom === undefined) return;
    event.preventDefault();
    if (pan) moveBy(pan);
    else if (step !== undefined) go(step);
    else if (zoom !== undefined) zoomBy(zoom);
  }

  /** Saves the file. Opens it in a new tab if scripts may not read it. */
  async function saveShown({ media }: PictureEntry): Promise<void> {
    const url = await addresses?.get(media.mediaUrl);
    if (!url) return;
    const fileName = media.fileName || imageTexts.fileName;
    // An image sent by this page: scripts may not fetch it (connect-src), but a link can save it.
    if (url.startsWith('blob:')) return saveUrl(fileName, url);
    const file = await readFile(url);
    if (file) saveFile(fileName, file, file.type);
    else open(url, '_blank', 'noopener');
  }

  if (!shown) return null;
  const mine = shown.sender === me;
  const zoomed = view.scale > 1;
  const isLast = place === pictures.length - 1;
  const label = imageLabel(shown.media.fileName, mine, name);
  const where = fillText(imageTexts.place, { at: place + 1, count: pictures.length });
  return (
    <dialog
      ref={dialog}
      className={styles.lightbox}
      aria-label={imageTexts.viewer}
      onClose={onClose}
      onKeyDown={onKeyDown}
    >
      <div className={styles.inside}>
        <div className={styles.bar}>
          <div className={styles.title}>
            <bdi className={styles.name}>{mine ? texts.you : name}</bdi>
            <span className={styles.when}>
              {fillText(imageTexts.when, {
                day: dayLabel(shown.at, Date.now()),
                time: timeOfDay(shown.at),
              })}
              {place >= 0 && pictures.length > 1 && ` · ${where}`}
            </span>
          </div>
          <div aria-live="polite">
            <Hidden>{label}</Hidden>
          </div>
          <Tool label={imageTexts.save} onPress={() => void saveShown(shown)}>
            <Shape paths={save} size={22} />
          </Tool>
          <Tool label={zoomed ? imageTexts.zoomOut : imageTexts.zoomIn} onPress={() => toggle()}>
            <Shape paths={zoomed ? glass : glassPlus} size={22} />
          </Tool>
          <Tool label={imageTexts.close} onPress={() => dialog.current?.close()}>
            <Icon name="x" size={24} />
          </Tool>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: all of it can be done with keys and buttons too */}
        <div
          ref={stage}
          className={styles.stage}
          {...pointerHandlers}
          onKeyDown={undefined}
          onClick={(event) => {
            if (event.target === picture.current) onPress(event);
            else if (event.target === event.currentTarget && !strayed()) dialog.current?.close();
          }}
        >
          <LightboxImage
            key={key}
            picture={picture}
            media={shown.media}
            label={label}
            view={view}
            pulled={pulled}
          />
          {pictures.length > 1 && (
            <>
              <Tool label={imageTexts.previous} step="previous" off={place <= 0} onPress={() => go(-1)}>
                <Icon name="back" size={22} />
              </Tool>
              <Tool label={imageTexts.next} step="next" off={isLast} onPress={() => go(1)}>
                <Icon name="back" size={22} />
              </Tool>
            </>
          )}
        </div>
      </div>
    </dialog>
  );
}

type ToolProps = {
  label: string;
  /** The buttons beside the image. */
  step?: 'previous' | 'next';
  off?: boolean;
  onPress: () => void;
  children: ReactNode;
};

function Tool({ label, step, off, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      className={step ? `${styles.tool} ${styles.step}` : styles.tool}
      data-step={step}
      aria-label={label}
      aria-disabled={off}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

type PictureEntry = Entry & { media: Media };

function picturesOf(entries: readonly Entry[]): PictureEntry[] {
  return entries.filter(
    (entry): entry is PictureEntry => entry.media?.mediaType.startsWith('image/') ?? false,
  );
}

type LightboxPictureProps = {
  picture: RefObject<HTMLImageElement | null>;
  media: Media;
  label: string;
  view: View;
  pulled: number;
};

function LightboxImage({ picture, media, label, view, pulled }: LightboxPictureProps) {
  const { url, failed, broken, again } = useAddress(media.mediaUrl, true);
  const [loaded, setLoaded] = useState(false);

  if (failed) {
    return (
      <div className={styles.broken}>
        <p role="alert">{imageTexts.couldNotLoad}</p>
        <button type="button" onClick={again}>
          {texts.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <>
      {!loaded && (
        <div className={styles.waits}>
          <Spinner size={28} />
        </div>
      )}
      {url && (
        <img
          ref={picture}
          className={styles.picture}
          style={{
            transform: `translate(${view.x + pulled}px, ${view.y}px) scale(${view.scale})`,
          }}
          src={url}
          alt={label}
          draggable={false}
          data-shown={loaded}
          data-close={view.scale > 1}
          onLoad={() => setLoaded(true)}
          onError={broken}
        />
      )}
    </>
  );
}
