import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Shape } from '../../ui/Icon.tsx';
import styles from './CropDialog.module.css';
import { type Crop, initialCrop, moveCrop, sideOf, ZOOM_MAX, zoomCrop } from './crop.ts';

type CropDialogProps = {
  picture: ImageBitmap;
  onClose: () => void;
  onCropped: (square: Blob) => void;
};

/** Canvas size on screen and size of the upload. */
const VIEW_SIDE = 560;
const SENT_SIDE = 512;
/** Keys and buttons, as alternatives to dragging. */
const STEPS: Record<string, { x: number; y: number; label: string; path: string }> = {
  ArrowLeft: { x: -1, y: 0, label: profileTexts.cropLeft, path: 'M19 12H5m6-6-6 6 6 6' },
  ArrowUp: { x: 0, y: -1, label: profileTexts.cropUp, path: 'M12 19V5m-6 6 6-6 6 6' },
  ArrowDown: { x: 0, y: 1, label: profileTexts.cropDown, path: 'M12 5v14m-6-6 6 6 6-6' },
  ArrowRight: { x: 1, y: 0, label: profileTexts.cropRight, path: 'M5 12h14m-6-6 6 6-6 6' },
};
/** Shorter pointer moves count as a tap, in CSS pixels. */
const TAP = 4;
/** Step of an arrow, as a part of the square's side. */
const STEP = 0.04;

/** Selects a square by dragging, tapping, buttons or arrow keys, with a zoom slider. */
export function CropDialog({ picture, onClose, onCropped }: CropDialogProps) {
  const [crop, setCrop] = useState<Crop>(() => initialCrop(picture));
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragged = useRef<{ x: number; y: number } | null>(null);
  const pressed = useRef<{ x: number; y: number } | null>(null);
  const helpId = useId();
  const side = sideOf(picture, crop.zoom);

  useEffect(() => draw(canvas.current, picture, crop), [picture, crop]);

  function drag(event: PointerEvent<HTMLElement>): void {
    const from = dragged.current;
    if (from === null) return;
    const perPixel = side / event.currentTarget.clientWidth;
    const by = { x: (from.x - event.clientX) * perPixel, y: (from.y - event.clientY) * perPixel };
    dragged.current = { x: event.clientX, y: event.clientY };
    setCrop((now) => moveCrop(picture, now, by));
  }

  function nudge(key: string): boolean {
    const by = STEPS[key];
    if (by === undefined) return false;
    setCrop((now) => moveCrop(picture, now, { x: by.x * side * STEP, y: by.y * side * STEP }));
    return true;
  }

  function step(event: KeyboardEvent): void {
    if (nudge(event.key)) event.preventDefault();
  }

  /** Centres the tapped point. */
  function drop(event: PointerEvent<HTMLElement>): void {
    const from = pressed.current;
    dragged.current = null;
    pressed.current = null;
    if (from === null || Math.hypot(event.clientX - from.x, event.clientY - from.y) >= TAP) return;
    const { left, top, width } = event.currentTarget.getBoundingClientRect();
    const perPixel = side / width;
    const by = {
      x: (event.clientX - left - width / 2) * perPixel,
      y: (event.clientY - top - width / 2) * perPixel,
    };
    setCrop((now) => moveCrop(picture, now, by));
  }

  async function use(close: () => void): Promise<void> {
    const sent = document.createElement('canvas');
    sent.width = Math.min(SENT_SIDE, Math.max(1, Math.round(side)));
    sent.height = sent.width;
    draw(sent, picture, crop);
    // Browsers without WebP support write PNG.
    const blob = await new Promise<Blob | null>((resolve) => sent.toBlob(resolve, 'image/webp', 0.92));
    if (blob === null) return;
    onCropped(blob);
    close();
  }

  return (
    <Dialog title={profileTexts.cropTitle} onClose={onClose}>
      {(close) => (
        <>
          <p id={helpId} className={styles.help}>
            {profileTexts.cropHelp}
          </p>
          <button
            type="button"
            className={styles.view}
            aria-label={profileTexts.cropArea}
            aria-describedby={helpId}
            onKeyDown={step}
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId);
              dragged.current = { x: event.clientX, y: event.clientY };
              pressed.current = dragged.current;
            }}
            onPointerMove={drag}
            onPointerUp={drop}
            onPointerCancel={() => {
              dragged.current = null;
              pressed.current = null;
            }}
          >
            <canvas ref={canvas} width={VIEW_SIDE} height={VIEW_SIDE} />
          </button>
          <div className={styles.steps}>
            {Object.entries(STEPS).map(([key, { label, path }]) => (
              <button key={key} type="button" aria-label={label} onClick={() => nudge(key)}>
                <Shape paths={[path]} size={18} />
              </button>
            ))}
          </div>
          <label className={styles.zoom}>
            {profileTexts.cropZoom}
            <input
              type="range"
              min={1}
              max={ZOOM_MAX}
              step={0.05}
              value={crop.zoom}
              onChange={(event) => setCrop((now) => zoomCrop(picture, now, Number(event.target.value)))}
            />
          </label>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {consoleTexts.cancel}
            </Button>
            <Button onClick={() => void use(close)}>{profileTexts.cropUse}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function draw(canvas: HTMLCanvasElement | null, picture: ImageBitmap, crop: Crop): void {
  const context = canvas?.getContext('2d');
  if (!canvas || !context) return;
  const side = sideOf(picture, crop.zoom);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, crop.left, crop.top, side, side, 0, 0, canvas.width, canvas.height);
}
