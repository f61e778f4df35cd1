import type { Brand } from '@settee/protocol/model/brand';
import { greetingBubbles, usualReplyOf } from '@settee/protocol/model/hostVoice';
import { initials } from '@settee/protocol/model/initials';
import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import bubble from '../chat/list/Bubble.module.css';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './EmptyChat.module.css';

/** Shown before the first message: who answers, and how soon. */
export function EmptyChat({ brand, children }: { brand: Brand; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={72} />
      <p className={styles.start}>{texts.visitorEmpty}</p>
      <p className={styles.usual}>{usualReplyOf(brand)}</p>
      {children}
    </div>
  );
}

/** The greeting. It looks like messages, but has no time, receipt or number. */
export function Greeting({ brand, greeting }: { brand: Brand; greeting: string }) {
  const parts = greetingBubbles(greeting);
  return parts.map((text, i) => (
    <article
      // biome-ignore lint/suspicious/noArrayIndexKey: two paragraphs may be equal
      key={i}
      aria-label={brand.displayName}
      className={bubble.message}
      data-side="in"
      data-opens={i === 0}
      data-closes={i === parts.length - 1}
    >
      <p className={bubble.bubble}>
        <span className={bubble.words} dir="auto">
          {text}
        </span>
      </p>
    </article>
  ));
}

/** The measured time of a reply. Until there are figures, it promises none. */
export function UsualReply({ brand, otherwise = '' }: { brand: Brand; otherwise?: string }) {
  return usualReplyOf(brand) || otherwise;
}
