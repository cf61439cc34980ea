import PushDispatch

/// From the callbacks of a push to its report.
extension TestPhone {
    func run(_ callbacks: [EntryPoint], _ started: PhoneReport, isCounted: Bool) async throws -> PhoneReport {
        var report = started
        if app != .foreground { app = .background }
        pushesBegun += 1
        pushesUnderWay += 1
        let number = pushesBegun
        var isAlone = pushesUnderWay == 1
        defer { pushesUnderWay -= 1 }

        let phoneApp = try await runningApp()
        let before = try await phoneApp.contents?()
        switch secondCallback {
        case .together: await call(callbacks, phoneApp, &report)
        case .apart(let milliseconds):
            for (index, callback) in callbacks.enumerated() {
                if index > 0 { await clock.pass(until: clock.now().advanced(byMilliseconds: milliseconds)) }
                await call([callback], phoneApp, &report)
            }
        }
        isAlone = isAlone && number == pushesBegun
        if isAlone, let before, let after = try await phoneApp.contents?() {
            judge(&report, isChanged: AnyHashable(before) != AnyHashable(after))
        }
        for problem in report.problems { log.add(problem) }
        if isCounted { budget.spend(at: clock.now(), isBad: !report.problems.isEmpty) }
        if pushesUnderWay == 1, app == .background {
            // The system ends an app that does not call its completion handler.
            if report.problems.contains(where: { $0.code == .neverAnswered }) {
                end(.terminated)
            } else {
                app = .suspended
            }
        }
        reports.append(report)
        return report
    }

    private func call(_ callbacks: [EntryPoint], _ phoneApp: PhoneApp, _ report: inout PhoneReport) async {
        let wake = PhoneWake(callbacks, clock: clock) { [log] in log.add($0) }
        let time = budget.runMilliseconds
        let limit = clock.schedule(at: clock.now().advanced(byMilliseconds: time)) {
            wake.timeIsUp(afterMilliseconds: time)
            return true
        }
        report.callbacks += await phoneApp.call(callbacks, report.push, wake)
        await settle(wake)
        limit.cancel()
        let (answers, problems, isShown) = wake.take()
        report.answers += answers
        report.problems += problems
        if isShown { show(report.push, &report) }
        if callbacks.contains(.background), !report.callbacks.contains(.background) {
            report.whyNoFetch = problems.first?.description
        }
    }

    /// Waits for the answers, and lets the phone's time pass for an app that is inactive.
    private func settle(_ wake: PhoneWake) async {
        let (product, overflow) = patienceMilliseconds.multipliedReportingOverflow(by: 1_000_000)
        let nanoseconds = overflow ? UInt64.max / 2 : min(product, .max / 2)
        let mover = Task { [clock] in
            while !Task.isCancelled {
                let seen = clock.activity
                guard (try? await Task.sleep(nanoseconds: nanoseconds)) != nil else { return }
                if clock.activity == seen { _ = await clock.step() }
            }
        }
        await wake.wait()
        mover.cancel()
        await mover.value
    }

    /// Compares the answer to the fetch callback with whether the app's contents have changed.
    private func judge(_ report: inout PhoneReport, isChanged: Bool) {
        guard let result = report.answers.first(where: { $0.entryPoint == .background })?.result else { return }
        switch (result, isChanged) {
        case (.newData, false):
            report.problems.append(
                PhoneProblem(
                    .untruthful, .background, "reported newData, but the app's contents are the same as before"))
        case (.noData, true) where report.callbacks.count > 1:
            // The other callback brought the change.
            break
        case (.noData, true), (.failed, true):
            report.problems.append(
                PhoneProblem(
                    .untruthful, .background,
                    "reported \(result.rawValue), but the app's contents have changed; report newData"))
        case (.newData, true), (.noData, false), (.failed, false): break
        }
    }
}
