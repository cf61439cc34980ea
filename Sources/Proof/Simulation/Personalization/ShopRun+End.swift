import EventDelivery
import Personalization
import PersonalizationSimulator

/// The end of a run: nothing more goes wrong, everything that waits is sent, and all of it is checked.
extension ShopRun {
    func finish() {
        injectsFaults = false
        trace("faults stop")
        for device in devices {
            device.isOnline = true
            device.isFull = false
            device.launch().networkChanged()
        }
        settle(until: timeline.now + 600_000)
        for device in devices {
            for purpose in device.audit.purposes.all where device.audit.answer(purpose).contains(.pending) {
                device.launch().answer(chance(80) ? .optedIn : .optedOut, for: purpose)
                settle(until: timeline.now + 60_000)
            }
        }
        // Whatever waits is sent without being asked for, at the latest after the longest pause and a circuit.
        settle()
        for device in devices { flushAll(device) }
        // The service may have asked for a pause.
        settle(until: timeline.now + 120_000)
        for device in devices { checkContent(device) }
        check()
    }

    /// What a full queue has no space for waits in the state until a call after others were sent.
    private func flushAll(_ device: ShopDevice) {
        var stored = -1
        for _ in 0..<ShopRun.maximumFlushes where device.audit.stored > stored {
            stored = device.audit.stored
            device.launch().flush(within: 60_000)
            settle()
        }
    }

    private static let maximumFlushes = 100

    /// The service knows who uses the app, and so gives them their content.
    private func checkContent(_ device: ShopDevice) {
        guard let app = device.app, !settings.clocksJump, !device.audit.hasLostIdentity else { return }
        let audit: ShopAudit = device.audit
        wait {
            do throws(DecisionError) {
                let result = try await app.client.fetchDecisions(["home"])
                audit.shows(result)
                guard audit.answer(audit.purposes.identity) == [.optedIn] else { return }
                let owner = result["home"]?.attributes[ShopService.owner]
                let user = audit.user.values
                if user.count != 1 || owner != user.first.map({ $0 ?? ShopService.nobody }) || result.source != .service
                {
                    audit.violation(
                        "shows \(audit.text(user)) at the end the content of \(owner ?? "nobody at all") from the "
                            + "\(result.source.rawValue)")
                }
            } catch {
                if error.code != .consent || audit.answer(audit.purposes.decisions) == [.optedIn] {
                    audit.violation("has no decisions at the end: \(error)")
                }
            }
        }
    }

    private func check() {
        let received = service.received
        count(.eventReceived, received.count)
        count(.eventRepeated, service.repeats)
        var arrivals: [String: Int] = [:]
        for (index, event) in received.enumerated() { arrivals[event.id.lowercased()] = index }
        for device in devices {
            guard let app = device.app else { continue }
            let box = Box()
            wait { box.status = await app.queue.status(of: app.client.configuration.destination) }
            device.audit.checkEnd(received, arrivals, box.status)
            if let replies = device.replies { device.audit.savesReplies(replies) }
        }
    }

    /// @unchecked: only the thread of the simulation uses it.
    private final class Box: @unchecked Sendable { var status: QueueStatus? }
}
