import PushDispatch

/// From a push to the state of the app.
extension TestPhone {
    func deliver(_ push: Push) async throws -> PhoneReport {
        var report = PhoneReport(push)
        switch PhoneDecision(push, app: app, conditions, budget, at: clock.now()) {
        case .hold(let why):
            held = push
            report.delivery = .held
            report.whyNoFetch = why
        case .drop(let why):
            report.delivery = .dropped
            report.whyNoFetch = why
        case .deliver(let delivery):
            report.whyNoFetch = delivery.whyNoFetch
            if delivery.isShown { show(push, &report) }
            if !delivery.callbacks.isEmpty {
                report.hasLaunched = !app.isInMemory
                return try await run(delivery.callbacks, report, isCounted: delivery.isCounted)
            }
        }
        reports.append(report)
        return report
    }

    func deliverHeld() async throws {
        guard let push = held, case .deliver = PhoneDecision(push, app: app, conditions, budget, at: clock.now()) else {
            return
        }
        held = nil
        _ = try await deliver(push)
    }

    func show(_ push: Push, _ report: inout PhoneReport) {
        report.isShown = true
        if push.aps.hasAlert { notifications.append(push) }
    }

    func end(_ state: AppState) {
        app = state
        running = nil
    }

    func runningApp() async throws -> PhoneApp {
        if let running { return try await running.value }
        launches += 1
        let task = PhoneClock.$startedAtLaunch.withValue(true) { Task { [launch, clock] in try await launch(clock) } }
        running = task
        do {
            return try await task.value
        } catch {
            running = nil
            throw error
        }
    }
}
