import type { Brand } from '@settee/protocol/model/brand';
import { usualReplyOf } from '@settee/protocol/model/hostVoice';

/** The measured time of a reply. Until there are figures, it promises none. */
export function UsualReply({ brand, otherwise = '' }: { brand: Brand; otherwise?: string }) {
  return usualReplyOf(brand) || otherwise;
}
