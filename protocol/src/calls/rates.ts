type ChatRate = 'chatReads' | 'chatWrites' | 'renames' | 'renewals' | 'uploads' | 'exports' | 'erasures';
type StaffRate = 'staffReads' | 'staffWrites' | 'searches' | 'keyReads' | 'keyWrites' | 'ownpassword';
type StrangerRate = 'strangerCalls' | 'newVisitors' | 'claims' | 'lookups' | 'codes' | 'linkcodes';
type SignInRate = 'account' | 'address' | 'factor' | 'factorday' | 'factoraddress' | 'setup' | 'setups';
type MailRate =
  | 'mailsPerDevice'
  | 'mailsPerChat'
  | 'mailsPerChatDay'
  | 'mailsPerAddress'
  | 'mailsPerAddressDay'
  | 'mailsPerDay';

/**
 * What a call counts as. server/src/platform/limits/table.ts says what is counted per what, and up to which number. The
 * database stores the names and security events show them, so those of a release stay, such as `linkcodes`.
 */
export type CallRate =
  | ChatRate
  | StaffRate
  | StrangerRate
  | SignInRate
  | MailRate
  | 'mailCodes'
  | 'pushTests';
