import EventDelivery
import Foundation
import PushDispatch

/// Does what the core decides.
extension DecisionClient {
    func perform(_ actions: [DecisionCore.Action]) {
        for action in actions {
            switch action {
            case .send(let id, let url, let body, let expiresAt): send(id, url, body, until: expiresAt)
            case .stop(let id):
                let request = requests.removeValue(forKey: id)
                request?.task.cancel()
                request?.limit.cancel()
            case .answer(let call, let answer): give(answer, to: call)
            case .save(let erases): save(erases: erases)
            case .report(let event): onEvent(event)
            }
        }
    }

    // MARK: Requests

    private func send(_ id: DecisionCore.RequestID, _ url: URL, _ body: [UInt8], until end: DispatchMoment) {
        let request = DecisionHTTPRequest(
            url: url, body: body, withinMilliseconds: max(1, end.milliseconds(since: clock.now())),
            maximumReplyBytes: core.configuration.maximumReplyBytes)
        let task = start { [weak self, transport] in
            let answer: Result<DecisionHTTPReply, DecisionError>
            do throws(DecisionError) {
                answer = .success(try await transport.send(request))
            } catch {
                answer = .failure(error)
            }
            await self?.answered(id, answer)
        }
        let limit = clock.schedule(at: end) { [weak self] in await self?.expired(id) ?? false }
        requests[id] = (task, limit)
    }

    private func answered(_ id: DecisionCore.RequestID, _ answer: Result<DecisionHTTPReply, DecisionError>) {
        requests.removeValue(forKey: id)?.limit.cancel()
        perform(core.answered(id, answer, at: clock.now(), wallTime: wallClock()))
    }

    private func expired(_ id: DecisionCore.RequestID) -> Bool {
        let actions = core.expired(id, at: clock.now(), wallTime: wallClock())
        perform(actions)
        return !actions.isEmpty
    }

    // MARK: Calls

    func answer(to call: DecisionCore.CallID, until end: DispatchMoment) async -> DecisionAnswer {
        let limit = clock.schedule(at: end) { [weak self] in await self?.timedOut(call) ?? false }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let answer = early.removeValue(forKey: call) {
                    limit.cancel()
                    continuation.resume(returning: answer)
                } else {
                    waiting[call] = Waiter(continuation: continuation, limit: limit)
                }
            }
        } onCancel: {
            start { [weak self] in await self?.cancel(call) }
        }
    }

    private func give(_ answer: DecisionAnswer, to call: DecisionCore.CallID) {
        guard let waiter = waiting.removeValue(forKey: call) else {
            early[call] = answer
            return
        }
        waiter.limit.cancel()
        waiter.continuation.resume(returning: answer)
    }

    private func timedOut(_ call: DecisionCore.CallID) -> Bool {
        let actions = core.timedOut(call, wallTime: wallClock())
        perform(actions)
        return !actions.isEmpty
    }

    private func cancel(_ call: DecisionCore.CallID) { perform(core.cancelled(call)) }

    // MARK: The store

    /// Takes over what an earlier process has stored. If that cannot be read now, each later call tries again.
    func load() {
        if mustErase { erase() }
        guard !isLoaded, !mustErase else { return }
        let stored: [UInt8]?
        do throws(DecisionStoreError) {
            stored = try store.load(maximumBytes: core.cache.maximumStoredBytes)
        } catch {
            if error.code == .damaged { setAside() } else { report(error) }
            return
        }
        reportedFailure = nil
        guard let stored else {
            isLoaded = true
            return
        }
        do throws(DecisionCache.Damage) {
            let actions = try core.loaded(stored)
            isLoaded = true
            perform(actions)
        } catch {
            setAside()
        }
    }

    private func setAside() {
        do throws(DecisionStoreError) {
            onEvent(.cacheDamaged(movedTo: try store.setAside()))
            isLoaded = true
        } catch {
            report(error)
        }
    }

    private func save(erases: Bool) {
        if erases { mustErase = true }
        // What was not read yet must not be replaced, unless it has to go.
        guard isLoaded || mustErase else { return }
        if mustErase { return erase() }
        write()
    }

    /// Removes what was stored and set aside, and stores what is left.
    private func erase() {
        do throws(DecisionStoreError) {
            try store.erase()
        } catch {
            return report(error)
        }
        mustErase = false
        isLoaded = true
        if core.cache.count > 0 { write() }
    }

    private func write() {
        do throws(DecisionStoreError) {
            try store.save(core.cache.encoded())
            reportedFailure = nil
        } catch {
            report(error)
        }
    }

    private func report(_ failure: DecisionStoreError) {
        guard failure != reportedFailure else { return }
        reportedFailure = failure
        onEvent(.storeFailed(failure))
    }
}
