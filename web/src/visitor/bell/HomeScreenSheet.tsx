import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { bellShapes } from '../../ui/bellShapes.ts';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import styles from './HomeScreenSheet.module.css';

/** The same shapes as in iOS. */
const shapes = {
  share: ['M12 15V3.500M8 7l4-4 4 4M7 10.500H5.500v10h13v-10H17'],
  add: ['M8 4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4V8a4 4 0 0 1 4-4Z', 'M12 8.500v7M8.500 12h7'],
} as const;

type HomeScreenSheetProps = {
  /** The Home Screen app is another device and needs a code. Undefined if there is none. */
  code: string | undefined;
  onClose: () => void;
};

export function HomeScreenSheet({ code, onClose }: HomeScreenSheetProps) {
  const dialog = useModalDialog();
  const title = /iPhone|iPod/.test(navigator.userAgent) ? pushTexts.iosTitle : pushTexts.iosTitlePad;
  return (
    <dialog ref={dialog} aria-labelledby="home-screen" aria-describedby="home-screen-why" onClose={onClose}>
      <h2 id="home-screen" className={styles.title}>
        {title}
      </h2>
      <p id="home-screen-why" className="ink-2">
        {pushTexts.iosNote}
      </p>
      <ol className={styles.steps}>
        <li>
          <Shape paths={shapes.share} />
          <span>{filled(pushTexts.iosShareStep, { share: pushTexts.iosShare })}</span>
        </li>
        <li>
          <Shape paths={shapes.add} />
          <span>{filled(pushTexts.iosAddStep, { add: pushTexts.iosAdd })}</span>
        </li>
        <li>
          <Shape paths={bellShapes.bell} />
          <span>
            {filled(code ? pushTexts.iosOpen : pushTexts.iosOpenNoCode, {
              code: code ?? '',
              enable: texts.enable,
            })}
          </span>
        </li>
      </ol>
      <Button onClick={() => dialog.current?.close()}>{pushTexts.gotIt}</Button>
    </dialog>
  );
}

/** Replaces placeholders with bold values. */
function filled(text: string, values: Record<string, string>): ReactNode[] {
  const bold = Object.entries(values).map(([name, value]) => [name, <b key={name}>{value}</b>] as const);
  return fillNodes(text, Object.fromEntries(bold));
}
