import APNSModel
import APNSProvider
import PayloadJSON

/// One run of `apns send --channel`.
struct BroadcastRun: Sendable {
    let isJSON: Bool
    let gateway: APNSGateway
    let output: Output

    /// Sends to one channel after the other, prints each result and the summary, and closes the provider. A signal ends the
    /// wait for an answer.
    func send(_ broadcasts: [APNSBroadcast], with provider: PushProvider) async -> ExitStatus {
        let clock = ContinuousClock()
        let start = clock.now
        var tally = SendTally()
        var reported = ReportedErrors()
        for broadcast in broadcasts {
            var broadcast = broadcast
            let id = broadcast.id ?? NotificationID()
            broadcast.id = id
            let sent = clock.now
            let outcome = await cancelledBySignals { [broadcast] in await BroadcastRun.outcome(broadcast, provider) }
            tally.count(outcome, attempts: 0)
            let line = BroadcastLine(
                channelID: broadcast.channelID, requestID: id.text, outcome: outcome, duration: clock.now - sent)
            output.result(isJSON ? line.json : line.text(style: output.results))
            guard let error = outcome.error else { continue }
            if error.code == .cancelled { tally.isInterrupted = true }
            if let cause = reported.message(about: error, gateway) { output.note("\(gateway): \(cause)") }
            // What made this one fail would make the next ones fail.
            if error.code == .cancelled || error.code == .connectionFailed { break }
        }
        tally.notRead = broadcasts.count - tally.total
        output.flush()
        output.note(tally.summary(after: clock.now - start))
        if !tally.couldDoNothing, !tally.isInterrupted { await provider.close() }
        return tally.exitStatus
    }

    static func outcome(_ broadcast: APNSBroadcast, _ provider: PushProvider) async -> APNSOutcome {
        do throws(APNSSendError) {
            return APNSOutcome(try await provider.send(broadcast))
        } catch {
            return error.isSafeToRetry ? .unsent(error) : .unknown(error)
        }
    }
}
