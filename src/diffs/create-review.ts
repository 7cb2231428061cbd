// The review of proposals with all that belongs to it: accepted texts, and clients that are let through.
import type { Clock } from '../base/clock.ts'
import type { DisposableStack } from '../base/disposable.ts'
import type { Log } from '../base/log.ts'
import type { Client } from '../ide/client.ts'
import type { IdeService } from '../ide/service.ts'
import type { Editor } from '../neovim/editor.ts'
import type { Notices } from '../neovim/notices.ts'
import type { Options } from '../options/schema.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { createAcceptedTexts } from './accepted-text.ts'
import { AutoAccept } from './auto-accept.ts'
import { displayOf } from './display.ts'
import { RejectReasons } from './reject-reasons.ts'
import { Review } from './review.ts'

/** What a review is made of. */
export interface ReviewWiring {
  editor: Editor
  notices: Notices
  service: IdeService
  options: () => Options
  /** Types into the prompt of a client, without Enter. Says whether it runs where that can be done. */
  type: (client: Client, text: string) => Promise<boolean>
  sessions: Pick<Sessions, 'sessionOf' | 'areApart'>
  clock: Clock
  log: Log
}

/** Makes the review of a session, whose parts end with `parts`. */
export function createReview(
  { service, options, sessions, type, ...rest }: ReviewWiring,
  parts: DisposableStack,
): Review {
  const texts = parts.add(createAcceptedTexts(rest))
  const autoAccept = parts.add(new AutoAccept({ ...rest, clients: () => service.readyClients }))
  const review = parts.add(
    new Review({
      ...rest,
      texts,
      reasons: new RejectReasons({ ...rest, type }),
      display: client => displayOf(options(), client && sessions.sessionOf(client)),
      areApart: (a, b) => sessions.areApart(a, b),
      isUnseen: client => autoAccept.isOnFor(client),
    }),
  )
  parts.add(
    service.clientGone(client => {
      review.clientGone(client)
      autoAccept.clientGone(client)
    }),
  )
  return review
}
