type ChatRate = 'chatReads' | 'chatWrites' | 'renames' | 'renewals' | 'uploads' | 'exports' | 'erasures';
type StaffRate = 'staffReads' | 'staffWrites' | 'searches' | 'keyReads' | 'keyWrites' | 'ownpassword';
type StrangerRate = 'strangerCalls' | 'newVisitors' | 'claims' | 'lookups' | 'codes' | 'linkcodes';
type SignInRate = 'account' | 'address' | 'factor' | 'factorday' | 'factoraddress' | 'setup' | 'setups';
type MailRate =
  | 'mailsdevice'
  | 'mailschat'
  | 'mailschatday'
  | 'mailsaddress'
  | 'mailsaddressday'
  | 'mailsday';

/** What a call counts as. server/src/platform/limits/table.ts has the numbers. */
export type CallRate =
  | ChatRate
  | StaffRate
  | StrangerRate
  | SignInRate
  | MailRate
  | 'mailcodes'
  | 'pushTests';
