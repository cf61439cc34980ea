import APNSModel

/// Whether a reachable device gets a notification now (docs/reference/apns.md 6.6 to 6.8 and 7; docs/delivery.md has the table).
extension Device {
    enum DeliveryDecision {
        /// - Parameter spends: The budget that the delivery counts against.
        case deliver(spends: DeliveryBudget?)
        /// It is held; `why` says until when.
        case hold(Hold, why: String)
        /// It will never be delivered.
        case drop(why: String)
    }

    /// - Parameter isWoken: Whether the device is awake for a moment, so that power does not matter.
    func decide(_ delivery: Delivery, isWoken: Bool, _ rules: DeliveryRules, at now: Int64) -> DeliveryDecision {
        let held = isWoken ? nil : decidePower(delivery, rules, at: now)
        guard delivery.channelID == nil else { return held ?? .deliver(spends: nil) }
        switch kind {
        case .app:
            guard !delivery.isSilent else { return decideSilent(held, rules, at: now) }
            guard allowsNotifications else {
                return .drop(why: "the user does not allow the app to show notifications")
            }
        case .liveactivity, .startLiveActivity:
            if let why = activity.objection(to: delivery, of: kind, registered: registeredAt, at: now) {
                return .drop(why: why)
            }
        case .voip, .complication, .fileprovider, .location, .pushtotalk, .widgets, .controls: break
        }
        if let held { return held }
        guard let budget = budget(rules.budgets), counts(delivery) else { return .deliver(spends: nil) }
        guard let free = budgetUse.nextFree(budget, at: now) else { return .deliver(spends: budget) }
        let why = "the \(budget.count) \(counted(budget)) of \(Period.text(milliseconds: budget.period)) are used up"
        guard kind != .complication, kind != .location else {
            return .drop(why: why + "; the next is free in \(Period.text(milliseconds: free - now))")
        }
        return .hold(
            Hold(cause: .budget, until: free), why: why + "; held for \(Period.text(milliseconds: free - now))")
    }

    /// Background pushes wake the app, which the system limits (docs/reference/apns.md 6.7).
    ///
    /// - Parameter held: The decision about power.
    private func decideSilent(_ held: DeliveryDecision?, _ rules: DeliveryRules, at now: Int64) -> DeliveryDecision {
        switch appState {
        case .foreground: return .deliver(spends: nil)
        case .forceQuit:
            return .hold(
                Hold(cause: .forceQuit, until: nil),
                why: "the user force-quit the app, and a silent push does not launch it; held until the app is opened")
        case .background, .suspended, .terminated: break
        }
        guard allowsBackgroundRefresh else {
            return .hold(
                Hold(cause: .backgroundRefresh, until: nil),
                why: "background refresh is off for the app; held until it is on or the app is opened")
        }
        guard !isInLowPower else {
            return .hold(
                Hold(cause: .lowPower, until: nil),
                why: "low-power mode suspends background refresh; held until the mode is off or the app is opened")
        }
        guard !isInLowData else {
            return .hold(
                Hold(cause: .lowData, until: nil),
                why: "Low Data Mode suspends background refresh; held until the mode is off or the app is opened")
        }
        if let held { return held }
        guard let budget = budget(rules.budgets) else { return .deliver(spends: nil) }
        guard let free = budgetUse.nextFree(budget, at: now) else { return .deliver(spends: budget) }
        return .hold(
            Hold(cause: .budget, until: free),
            why: "the \(budget.count) \(counted(budget)) of \(Period.text(milliseconds: budget.period)) are used up; "
                + "held for \(Period.text(milliseconds: free - now)), or until the app is opened")
    }

    /// Whether priority and power hold it; nil if they do not.
    private func decidePower(_ delivery: Delivery, _ rules: DeliveryRules, at now: Int64) -> DeliveryDecision? {
        guard delivery.priority != .immediate, appState != .foreground else { return nil }
        if delivery.priority == .low {
            if isInLowPower {
                return .hold(
                    Hold(cause: .lowPower, until: nil),
                    why: "priority 1 waits for the end of low-power mode, or for a notification of priority 10")
            }
            guard !isAwake else { return nil }
            return .hold(
                Hold(cause: .sleep, until: nil),
                why:
                    "priority 1 does not wake the device; held until it is awake, or a notification of priority 10 wakes it"
            )
        }
        guard isInLowPower else { return nil }
        let next = (now / rules.powerGroup + 1) * rules.powerGroup
        return .hold(
            Hold(cause: .power, until: next),
            why:
                "priority 5 in low-power mode is delivered with the next group, in \(Period.text(milliseconds: next - now))"
        )
    }

    /// Whether the system counts it against the budget of its kind.
    private func counts(_ delivery: Delivery) -> Bool {
        switch kind {
        case .app: false  // silent pushes count, and `decideSilent` handles them
        case .liveactivity: delivery.priority == .immediate
        default: true
        }
    }

    private func counted(_ budget: DeliveryBudget) -> String {
        let name =
            switch kind {
            case .app: "silent push"
            case .liveactivity: "update"
            default: "push"
            }
        return budget.count == 1 ? name : name.hasSuffix("h") ? name + "es" : name + "s"
    }
}
