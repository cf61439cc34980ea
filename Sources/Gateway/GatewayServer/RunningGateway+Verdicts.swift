import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime

extension RunningGateway {
    /// A readable line about each notification that is judged from now on in any world, and about what happens to it, until
    /// the reading task is cancelled. A line of another world than the default one names it. A slow reader misses lines;
    /// senders never wait.
    package func verdicts() -> AsyncStream<String> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
            let (readings, begun) = AsyncStream.makeStream(of: Reading.self)
            let observation = worlds.observe { world in
                let subscription = world.subscribeToEvents(named: nil) {}
                begun.yield(
                    Reading(world: world.name, items: subscription.items) { [weak world] in
                        world?.unsubscribe(subscription.id)
                    })
            }
            let task = Task {
                await withDiscardingTaskGroup { group in
                    for await reading in readings {
                        group.addTask {
                            for await item in reading.items {
                                guard case .event(let event, _, _) = item, let line = event.line(in: reading.world)
                                else { continue }
                                continuation.yield(line)
                            }
                            reading.end()
                            if reading.world == .standard { continuation.finish() }
                        }
                    }
                }
            }
            continuation.onTermination = { [worlds] _ in
                worlds.endObservation(observation)
                task.cancel()
            }
        }
    }

    /// The events of one world.
    private struct Reading: Sendable {
        let world: WorldName
        let items: AsyncStream<EventSubscription.Item>
        let end: @Sendable () -> Void
    }
}

extension GatewayEvent {
    /// Nil for events that are not about a notification.
    fileprivate func line(in world: WorldName) -> String? {
        let place = world == .standard ? "" : "[\(world)] "
        switch self {
        case .judged(let entry):
            let target = entry.token.map { DeviceToken.shorten($0) } ?? entry.channelID ?? "-"
            let what = entry.kind == .notification ? entry.pushType ?? "-" : entry.kind.rawValue
            let verdict = entry.verdict
            let reason = verdict.reason.map { " \($0.code)" } ?? ""
            let status = verdict.status.map(String.init) ?? "---"
            let fault = entry.fault.flatMap { $0.why == verdict.why ? nil : "; \($0.why)" } ?? ""
            return "\(TimeText.text(entry.received)) \(place)\(status)\(reason) \(target) \(what): "
                + verdict.why + fault
        case .life(let event):
            return "\(TimeText.text(event.life.at)) \(place)\(event.stage.rawValue) \(event.delivery.token): "
                + event.life.why
        default: return nil
        }
    }
}
