import EventDelivery
import Personalization
import PushDispatch

/// The script of a run: the steps that the seed picks.
extension ShopRun {
    func runScript() {
        for device in devices where chance(70) { device.launch().changePhase(isActive: true) }
        for device in devices where chance(70) {
            for purpose in device.audit.purposes.all { device.launch().answer(.optedIn, for: purpose) }
        }
        for _ in 0..<settings.steps {
            let pause: Int
            switch number(below: 10) {
            case 0...4: pause = number(below: 100)
            case 5...7: pause = number(below: 10_000)
            case 8: pause = number(below: 120_000)
            default: pause = number(below: 1_500_000)
            }
            settle(until: timeline.now + Int64(pause))
            if let device = pick(devices) { step(device) }
        }
    }

    private func step(_ device: ShopDevice) {
        if chance(settings.consentPercent) { return answer(device) }
        switch number(below: 100) {
        case 0..<18: device.launch().track()
        case 18..<23: device.launch().changeCart()
        case 23..<27: device.launch().captureBadEvent()
        case 27..<39: device.launch().fetch()
        case 39..<42: device.launch().showCached()
        case 42..<44: device.launch().prefetch()
        case 44..<53: device.launch().engage()
        case 53..<62: changeUser(device)
        case 62..<64: device.launch().setAttribute()
        case 64..<71: open(device)
        case 71..<76: device.launch().changePhase(isActive: true)
        case 76..<81: device.launch().changePhase(isActive: false)
        case 81..<85: device.launch().flush(within: pick([200, 5_000, 60_000]) ?? 5_000)
        case 85..<90:
            device.isOnline.toggle()
            count(.connectionChange)
            trace("\(device.name) is \(device.isOnline ? "online" : "offline")")
            device.app?.networkChanged()
        case 90..<95: if injectsFaults { device.kill() }
        case 95..<97:
            guard faults.storeFaultPercent > 0 else { return device.launch().track() }
            device.isFull.toggle()
            device.audit.storeFailed()
            count(.diskFull)
            trace("\(device.name)'s disk is \(device.isFull ? "full" : "free")")
        case 97..<99: jump(device)
        default: device.launch()
        }
    }

    private func answer(_ device: ShopDevice) {
        guard let purpose = pick(device.audit.purposes.all) else { return }
        device.launch().answer(pick([.optedIn, .optedIn, .optedOut, .pending]) ?? .optedIn, for: purpose)
    }

    /// Mostly in the middle of something.
    private func changeUser(_ device: ShopDevice) {
        let app = device.launch()
        // A log-out that is not reported to the service.
        if settings.hasPurposes, chance(25) {
            app.answer(.optedOut, for: device.audit.purposes.identity)
            settle(until: timeline.now + Int64(number(below: 400)))
        }
        guard device.app === app else { return }
        switch number(below: 5) {
        case 0: app.fetch()
        case 1: app.track()
        case 2: app.flush(within: 5_000)
        case 3: app.appearAgain()
        default: break
        }
        if chance(50) { settle(until: timeline.now + Int64(number(below: 400))) }
        guard device.app === app else { return }
        app.logIn(chance(30) ? nil : pick(userNames))
        if chance(50) { useAfterChange(app) }
    }

    /// The next user finds the former one's screen, or opens a new one.
    private func useAfterChange(_ app: ShopApp) {
        settle(until: timeline.now + Int64(number(below: 1_000)))
        guard app.device.app === app else { return }
        if chance(50) { app.appearAgain() } else { app.fetch() }
    }

    private func open(_ device: ShopDevice) {
        // An old notification is opened again, perhaps by another process.
        if chance(30), let (notification, marker) = pick(device.audit.notifications) {
            return device.launch().open(notification, marker: marker)
        }
        let number = nextNumber()
        let notification = (id: "n\(number)", marker: "m\(number)x")
        device.audit.notifications.append(notification)
        device.launch().open(notification.id, marker: notification.marker)
    }

    private func jump(_ device: ShopDevice) {
        guard settings.clocksJump else { return device.launch().track() }
        count(.clockJump)
        device.clockOffset += Int64(number(below: 7_200_000) - 3_600_000)
        trace("\(device.name)'s clock is wrong by \(device.clockOffset / 1_000) s")
    }
}
