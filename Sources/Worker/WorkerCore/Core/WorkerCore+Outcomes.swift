package import APNSModel
package import APNSProvider
import PayloadJSON
import PushQueue

extension WorkerCore {
    /// What a sender says about one push.
    package struct Finished: Sendable {
        package var reference: PushReference
        package var result: APNSSendResult

        package init(_ reference: PushReference, _ result: APNSSendResult) {
            self.reference = reference
            self.result = result
        }
    }

    /// A push has its outcome.
    package mutating func finish(_ finished: Finished, at now: MonotonicTime) {
        let (reference, result) = (finished.reference, finished.result)
        let slot = Int(reference.slot)
        guard generations[slot] == reference.generation, slots[slot].isHeld else { return }
        let (tenant, lane) = (slots[slot].tenant, slots[slot].lane)
        inFlight -= 1
        laneInFlight[lane] -= 1
        tenants[tenant].inFlight -= 1
        if lane == 0 { tenants[tenant].topInFlight -= 1 }
        slots[slot].inFlight -= 1
        let seconds = Double(result.durationNanoseconds) / 1e9
        counts.sendSeconds.add(seconds)
        tenants[tenant].answers.add(seconds, at: now)
        let outcome = result.outcome
        let isOwnEnd = noteSender(of: tenant, outcome, after: result.durationNanoseconds, at: now)
        let followUp = OutcomeTable.followUp(of: outcome)
        let failure = noteFailure(of: finished, outcome, slot, tenant, followUp, at: now)
        count(outcome, lane)
        let isCurrent = reference.credentials == credentials
        if isCurrent, followUp != .done || reference.isProbe || !tenants[tenant].circuit.isClosed {
            updateCircuits(tenant, followUp, outcome, isOwnEnd, failure, reference, at: now)
        }
        if case .done = followUp {
            _ = tenants[tenant].suspects.count(isSuspect: false)
            if let time = engineTime(at: now) {
                counts.queueSeconds.add(max(0, Double(time) - Double(slots[slot].enqueuedAt)) / 1000)
            }
            if settings.writesResults { addResult(slot, result) }
            end(slot, Int(reference.line))
        } else {
            follow(followUp, finished, slot, tenant, failure, at: now)
        }
        finishIfDone(slot, at: now)
    }

    /// Notes what the outcome of a push says about the sender of its tenant.
    ///
    /// - Returns: Whether the sender alone has ended the push, so that its outcome says nothing about the host.
    private mutating func noteSender(
        of tenant: Int, _ outcome: APNSOutcome, after nanoseconds: Int64, at now: MonotonicTime
    ) -> Bool {
        switch outcome {
        case .accepted, .refused:
            tenants[tenant].sender.answered(after: nanoseconds, at: now)
            return false
        case .unknown(let error):
            if error.code == .deadlineExceeded { tenants[tenant].sender.timedOut() }
            return false
        case .unsent(let error):
            guard error.code == .deadlineExceeded else {
                return error.code == .cancelled || error.code == .providerClosed || error.code == .queueFull
            }
            // It waited for a stream. Where others got answers meanwhile, the host is slow and not gone.
            guard let answer = tenants[tenant].sender.lastAnswer, answer > now.advanced(byNanoseconds: -nanoseconds)
            else { return false }
            tenants[tenant].sender.timedOut()
            return true
        }
    }

    private mutating func count(_ outcome: APNSOutcome, _ lane: Int) {
        switch outcome {
        case .accepted: counts.countAccepted(lane: lane)
        case .refused(let refusal): counts.count(lane, outcome.name, refusal.reason.code)
        case .unsent(let error), .unknown(let error): counts.count(lane, outcome.name, error.code.rawValue)
        }
    }

    // MARK: What follows

    private mutating func follow(
        _ followUp: FollowUp, _ finished: Finished, _ slot: Int, _ tenant: Int, _ failure: PushFailure,
        at now: MonotonicTime
    ) {
        let job = slots[slot]
        let (reference, result) = (finished.reference, finished.result)
        let line = Int(reference.line)
        let attempt = job.job.content.attempt.addingSaturated(Int(reference.resends) + 1)
        let (reason, why) = WorkerCore.words(result.outcome)
        switch followUp {
        case .done: break
        case .feedback, .suspect:
            addFeedback(slot, tenant, result, isSuspect: followUp == .suspect)
            if settings.writesResults { addResult(slot, result) }
            end(slot, line)
        case .dead: end(slot, line, dead: reason, why: why, attempt: attempt, result, at: now)
        case .again where reference.resends == 0 && attempt < settings.attempts && !isDraining && !job.isLost:
            slots[slot].doubts[line] = 1
            wait(finished, slot, tenant, hasFailed: false, resends: 1)
        case .later, .device, .again:
            guard attempt < settings.attempts else {
                return end(slot, line, dead: reason, why: lastAttempt(attempt, why), attempt: attempt, result, at: now)
            }
            var asked: Duration?
            if case .refused(let refusal) = result.outcome { asked = refusal.retryAfter }
            let wait = settings.ladder.wait(after: attempt, asked: asked, random: randomPart())
            if followUp == .device { rest(result.deviceToken, until: now + wait, at: now) }
            end(
                slot, line,
                in: HeldJob.Group(wait: rounded(wait), attempt: attempt, reason: reason, why: why, isEvent: true))
        case .credentials, .connection: putBack(finished, slot, tenant, failure, reason, why, at: now)
        case .doubt: doubt(finished, slot, tenant, attempt, reason, why, at: now)
        }
    }

    /// Nothing is sent to the device before `until`. The number of such devices is bounded.
    private mutating func rest(_ device: DeviceToken, until: MonotonicTime, at now: MonotonicTime) {
        if resting.count >= WorkerCore.maximumResting, now >= nextRestingCheck {
            resting = resting.filter { $0.value > now }
            nextRestingCheck = now + .seconds(1)
        }
        guard resting.count < WorkerCore.maximumResting || resting[device] != nil else { return }
        resting[device] = until
    }

    /// Waits that differ by less than five seconds are one group, so that the lines of a job stay together.
    func rounded(_ wait: Duration) -> Duration {
        .seconds((wait.components.seconds + 4) / 5 * 5)
    }

    func lastAttempt(_ attempt: Int, _ why: String) -> String {
        "\(attempt) \(attempt == 1 ? "attempt" : "attempts") failed, the last one so: \(why)"
    }

    /// Puts a push that was not processed back to those that wait.
    private mutating func putBack(
        _ finished: Finished, _ slot: Int, _ tenant: Int, _ failure: PushFailure, _ reason: String, _ why: String,
        at now: MonotonicTime
    ) {
        let job = slots[slot]
        let line = Int(finished.reference.line)
        rate?.giveBack(1)
        tenants[tenant].rate?.giveBack(1)
        if failure.isOwn { return setAside(finished, slot, failure, reason, why, at: now) }
        // Other lines of its job that wait in the engine come back only once this one has left it too.
        if isBlocked(tenant), sendsElsewhere(than: tenant) || !job.groups.isEmpty {
            let group = HeldJob.Group(
                wait: failedWait(tenant, at: now), attempt: job.attempts(line), reason: reason, why: why,
                isEvent: failure.isNew)
            return end(slot, line, in: group)
        }
        wait(finished, slot, tenant, hasFailed: true, resends: finished.reference.resends)
    }

    private mutating func wait(
        _ finished: Finished, _ slot: Int, _ tenant: Int, hasFailed: Bool, resends: Int32
    ) {
        let job = slots[slot]
        var reference = finished.reference
        (reference.probesTenant, reference.probesHost) = (false, false)
        reference.resends = resends
        slots[slot].lines[Int(reference.line)] = .waiting
        guard !isDraining, !job.isLost else { return }
        // A new one: a submission is sent once.
        let notification = finished.result.notification
        let push = WaitingPush(
            reference: reference, submission: Submission(notification),
            expires: expiry(notification.expiration, since: job.since))
        if hasFailed {
            lanes[job.lane].appendFailed(push, of: tenant)
        } else {
            lanes[job.lane].prepend(push, of: tenant)
        }
        waiting += 1
    }

    /// When it is too late to send a notification with this expiration whose age counts from `since`: milliseconds since 1970,
    /// by the engine's clock.
    func expiry(_ expiration: Expiration?, since: Int64) -> Int64 {
        var expires = Int64.max
        if let age = settings.maximumAge { expires = since.addingSaturated(age.wholeNanoseconds / 1_000_000) }
        guard let expiration, expiration != .once else { return expires }
        return min(expires, expiration.secondsSince1970.multipliedSaturated(by: 1000))
    }

    private mutating func doubt(
        _ finished: Finished, _ slot: Int, _ tenant: Int, _ attempt: Int, _ reason: String, _ why: String,
        at now: MonotonicTime
    ) {
        let line = Int(finished.reference.line)
        guard settings.unknown == .resend else {
            return end(slot, line, dead: "unknown", why: why, attempt: attempt, finished.result, at: now)
        }
        guard attempt < settings.attempts else {
            return end(
                slot, line, dead: "unknown", why: lastAttempt(attempt, why), attempt: attempt, finished.result, at: now)
        }
        counts.resent += 1
        // The first repeat comes at once, because mostly a single connection was lost; later ones wait as the ladder
        // says.
        if finished.reference.resends == 0, !isDraining, !slots[slot].isLost {
            slots[slot].doubts[line] = 1
            return wait(finished, slot, tenant, hasFailed: false, resends: 1)
        }
        let wait = isDraining ? nil : rounded(settings.ladder.wait(after: attempt, random: randomPart()))
        end(slot, line, in: HeldJob.Group(wait: wait, attempt: attempt, reason: reason, why: why, isEvent: true))
    }

    /// A word for programs and a sentence for people.
    static func words(_ outcome: APNSOutcome) -> (reason: String, why: String) {
        switch outcome {
        case .accepted: ("", "")
        case .refused(let refusal):
            (
                refusal.reason.code.isEmpty ? "status-\(refusal.reason.status)" : refusal.reason.code,
                "APNs refused it with status \(refusal.reason.status)\(advice(outcome).map { "; \($0)" } ?? "")"
            )
        case .unsent(let error), .unknown(let error): (error.code.rawValue, error.detail)
        }
    }

    /// What to do about a refusal. Nil where the worker itself sends the push again.
    private static func advice(_ outcome: APNSOutcome) -> String? {
        guard case .refused(let refusal) = outcome else { return nil }
        switch OutcomeTable.followUp(of: outcome) {
        case .later, .again, .device, .connection: return nil
        case .done, .feedback, .suspect, .dead, .credentials, .doubt: return refusal.reason.advice
        }
    }

    // MARK: Circuits

    private mutating func updateCircuits(
        _ tenant: Int, _ followUp: FollowUp, _ outcome: APNSOutcome, _ isOwnEnd: Bool, _ failure: PushFailure,
        _ reference: PushReference, at now: MonotonicTime
    ) {
        let host = tenants[tenant].host
        let (probesTenant, probesHost) = (reference.probesTenant, reference.probesHost)
        let (reason, why) = WorkerCore.words(outcome)
        switch followUp {
        case .connection where isOwnEnd || failure.isOwn:
            probeWasInconclusive(tenant, reference, at: now)
        case .connection:
            let until = hosts[host].circuit.failed(
                at: now, isProbe: probesHost, isRepeat: failure.isRepeat, random: randomPart())
            if let until {
                hosts[host].failed = tenant
                hosts[host].cause = why
                events.append(
                    .hostUnreachable(
                        host: hosts[host].name, tenant: tenants[tenant].settings.label, why: why,
                        seconds: (until - now).inMilliseconds / 1000))
            }
            if probesTenant { tenants[tenant].circuit.probeWasInconclusive(at: now) }
            guard hosts.count > 1 || isTired(of: host) else { return }
            for other in tenants.indices where tenants[other].host == host { deferBlocked(other, at: now) }
        case .doubt:
            probeWasInconclusive(tenant, reference, at: now)
        case .credentials where failure.isOwn:
            hostAnswered(host, isProbe: probesHost)
            if probesTenant { tenants[tenant].circuit.probeWasInconclusive(at: now) }
        case .credentials:
            hostAnswered(host, isProbe: probesHost)
            pause(tenant, reason, why, isProbe: probesTenant, isRepeat: failure.isRepeat, at: now)
        case .suspect:
            hostAnswered(host, isProbe: probesHost)
            let isSurge = tenants[tenant].suspects.count(isSuspect: true)
            guard isSurge || (probesTenant && tenants[tenant].isSuspected) else {
                return tenantAnswered(tenant, isProbe: probesTenant)
            }
            tenants[tenant].isSuspected = true
            pause(
                tenant, reason,
                "most answers blame the device tokens, so environment or topic of the tenant are probably wrong; those "
                    + "that were answered are in the feedback as suspect, the rest waits", isProbe: probesTenant,
                at: now)
        default:
            hostAnswered(host, isProbe: probesHost)
            tenantAnswered(tenant, isProbe: probesTenant)
        }
    }

    private mutating func probeWasInconclusive(_ tenant: Int, _ reference: PushReference, at now: MonotonicTime) {
        if reference.probesTenant { tenants[tenant].circuit.probeWasInconclusive(at: now) }
        if reference.probesHost { hosts[tenants[tenant].host].circuit.probeWasInconclusive(at: now) }
    }

    private mutating func hostAnswered(_ host: Int, isProbe: Bool) {
        if hosts[host].circuit.succeeded(isProbe: isProbe) { events.append(.hostReachable(host: hosts[host].name)) }
    }

    private mutating func tenantAnswered(_ tenant: Int, isProbe: Bool) {
        guard tenants[tenant].circuit.succeeded(isProbe: isProbe) else { return }
        tenants[tenant].isSuspected = false
        tenants[tenant].suspects.reset()
        events.append(.tenantResumed(tenant: tenants[tenant].settings.label))
    }

    private mutating func pause(
        _ tenant: Int, _ reason: String, _ why: String, isProbe: Bool, isRepeat: Bool = false, at now: MonotonicTime
    ) {
        let until = tenants[tenant].circuit.failed(
            at: now, isProbe: isProbe, isRepeat: isRepeat, random: randomPart())
        guard let until else { return }
        tenants[tenant].cause = "\(reason), \(why)"
        tenants[tenant].suspects.reset()
        events.append(
            .tenantPaused(
                tenant: tenants[tenant].settings.label, reason: reason, why: why,
                seconds: (until - now).inMilliseconds / 1000))
        if sendsElsewhere(than: tenant) { deferBlocked(tenant, at: now) }
    }

    private mutating func deferBlocked(_ tenant: Int, at now: MonotonicTime) {
        deferWaiting(tenant, for: blockedWait(tenant, at: now), why: blockedWhy(tenant), at: now)
    }

    /// Returns the waiting pushes of a tenant to the engine, which delivers them again after the wait.
    mutating func deferWaiting(_ tenant: Int, for wait: Duration, why: String, at now: MonotonicTime) {
        let wait = rounded(wait)
        for lane in lanes.indices {
            for push in lanes[lane].removeAll(of: tenant) {
                waiting -= 1
                leaveNewest(push, of: tenant)
                guard let job = heldIfWaiting(push.reference) else { continue }
                let (slot, line) = (Int(push.reference.slot), Int(push.reference.line))
                let group = HeldJob.Group(
                    wait: wait, attempt: job.attempts(line), reason: OutcomeTable.deferred, why: why, isEvent: false)
                end(slot, line, in: group)
                finishIfDone(slot, at: now)
            }
        }
    }

    // MARK: Lines

    private mutating func addFeedback(_ slot: Int, _ tenant: Int, _ result: APNSSendResult, isSuspect: Bool) {
        guard case .refused(let refusal) = result.outcome else { return }
        let state = tenants[tenant].settings
        let topic = result.notification.topic.value
        let text = JSONText.object { text in
            text.add("token", result.deviceToken.hex)
            text.add("apns-topic", topic)
            text.add("environment", state.environment)
            text.addOrNull("tenant", state.name)
            text.add("reason", refusal.reason.code)
            text.addOrNull("timestamp", refusal.timestamp.map { Int($0) })
            text.add("apns-id", result.apnsIDText)
            text.add("suspect", isSuspect)
        }
        slots[slot].settlement.feedback.append(String(decoding: text.bytes, as: UTF8.self))
    }

    private mutating func addResult(_ slot: Int, _ result: APNSSendResult) {
        let text = JSONText.object { text in
            text.add("token", result.deviceToken.hex)
            text.add("apns-id", result.apnsIDText)
            text.add("outcome", result.outcome.name)
            switch result.outcome {
            case .accepted(_, let uniqueID):
                text.addOrNull("apns-unique-id", uniqueID)
                text.add("status", 200)
                text.addOrNull("reason", nil as String?)
            case .refused(let refusal):
                text.add("status", refusal.reason.status)
                text.add("reason", refusal.reason.code)
                text.addOrNull("timestamp", refusal.timestamp.map { Int($0) })
            case .unsent(let error), .unknown(let error):
                text.addOrNull("status", nil as Int?)
                text.add("error", error.code.rawValue)
            }
            text.addOrNull("tenant", slots[slot].job.content.tenant)
        }
        slots[slot].settlement.results.append(String(decoding: text.bytes, as: UTF8.self))
    }

    /// A line has its outcome.
    mutating func end(_ slot: Int, _ line: Int) {
        slots[slot].lines[line] = .done
        slots[slot].open -= 1
    }

    mutating func end(_ slot: Int, _ line: Int, counted outcome: String) {
        counts.count(slots[slot].lane, outcome)
        end(slot, line)
    }

    mutating func end(_ slot: Int, _ line: Int, in group: HeldJob.Group) {
        slots[slot].add(line, to: group)
        end(slot, line)
    }

    mutating func end(
        _ slot: Int, _ line: Int, dead reason: String, why: String, attempt: Int, _ result: APNSSendResult? = nil,
        at now: MonotonicTime
    ) {
        counts.count(slots[slot].lane, "dead", reason)
        deadLetters.count(reason, of: slots[slot].job.content.tenant)
        let event = JobContext.Event(at: engineTime(at: now) ?? slots[slot].enqueuedAt, reason: reason)
        let content = slots[slot].deadContent(line, attempt: attempt, event)
        slots[slot].settlement.dead.append(DeadContent(content, reason: reason, why: why))
        if settings.writesResults, let result { addResult(slot, result) }
        end(slot, line)
    }

    /// Adds the job to those that are settled next, once every line has its outcome.
    mutating func finishIfDone(_ slot: Int, at now: MonotonicTime) {
        guard slots[slot].isHeld else { return }
        if slots[slot].open == 0 {
            conclude(slot)
        } else if isDraining || slots[slot].isLost, slots[slot].inFlight == 0 {
            handBack(slot, at: now)
        }
    }

    /// Makes the lines that were not sent ready again at once, for another worker. A lost job stays with the worker
    /// that has it.
    mutating func handBack(_ slot: Int, at now: MonotonicTime) {
        let job = slots[slot]
        guard !job.isLost else { return forget(slot) }
        for line in job.lines.indices where job.lines[line] == .waiting {
            let group = HeldJob.Group(
                wait: nil, attempt: job.attempts(line), reason: "handed-back", why: "the worker stopped",
                isEvent: false)
            end(slot, line, in: group)
        }
        if slots[slot].open == 0 { conclude(slot) }
    }
}
