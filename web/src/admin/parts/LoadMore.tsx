import { adminTexts } from '@settee/protocol/adminTexts';
import { fillText } from '@settee/protocol/fillText';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import styles from './LoadMore.module.css';

type LoadMoreProps = {
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  /** What it is called in "Couldn't load {thing}." */
  thing: string;
};

/** The end of a list of which there is more. */
export function LoadMore({ query, thing }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className={styles.more}>
      <FieldError text={query.isFetchNextPageError ? fillText(adminTexts.loadFailed, { thing }) : null} />
      <Button look="outline" disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {adminTexts.more}
      </Button>
    </div>
  );
}
