import GatewayCore
import OrgSimulator
import PushDispatch
import SelectiveSync

/// The script of a run: the steps that the seed picks, the rest after them, and the final regular sync that makes all
/// stores equal.
extension Run {
    func begin() {
        for index in 0..<settings.records { create("record \(index)") }
        for device in devices {
            do {
                try pushService.register(device)
            } catch {
                reportViolation("\(device.name) cannot be registered: \(error)")
            }
            if chance(80) { device.launch().regularSync(checksGhosts: false, within: 60_000) }
        }
        settle(until: timeline.now + 2_000)
    }

    func runScript() {
        for _ in 0..<settings.steps {
            let pause: Int
            switch number(below: 10) {
            case 0...3: pause = number(below: 300)
            case 4...6: pause = number(below: 20_000)
            case 7...8: pause = number(below: 600_000)
            default: pause = number(below: 14_400_000)
            }
            settle(until: timeline.now + Int64(pause))
            step()
        }
    }

    private func step() {
        switch number(below: 110) {
        case 0..<26: change(1)
        case 26..<32: change(2 + number(below: 6))
        case 32..<36: create("made later \(nextNumber())")
        case 36..<39: delete()
        case 39..<41: hide()
        case 41..<42: withDevice { self.changeFilter(of: $0) }
        case 42..<52: withProcess { $0.edit(self.pick(AppProcess.Edit.all) ?? .change) }
        case 52..<57:
            withProcess { process in
                guard self.chance(60) else { return process.refresh(within: self.budget()) }
                process.upload(overwrites: self.chance(15), within: self.budget())
            }
        case 57..<66: withDevice { $0.launch().regularSync(checksGhosts: self.chance(20), within: self.budget()) }
        case 66..<72:
            withDevice { $0.connect(to: self.pick([.offline, .metered, .unmetered, .unmetered]) ?? .unmetered) }
        case 72..<75: withDevice { if $0.process != nil { $0.forceQuit() } }
        case 75..<78: withDevice { $0.crash() }
        case 78..<82: withDevice { self.jump($0) }
        case 82..<86: withDevice { self.endSession(of: $0) }
        case 86..<87: losePages()
        case 87..<88:
            guard settings.hasFilters else { return losePages() }
            withDevice {
                self.chance(80)
                    ? self.changeFilter(of: $0) : $0.launch().resync(self.pick(AppProcess.objects) ?? "Account")
            }
        case 88..<90: forgetDeletions()
        case 90..<92: chance(40) ? pushService.beginOutage() : pushService.fail()
        case 92..<95:
            withProcess { self.changeUser($0) }
        case 95..<98: sendUnusualPush()
        case 98..<108: coincide()
        default: withDevice { $0.launch() }
        }
    }

    private func withDevice(_ body: (AuditedDevice) -> Void) {
        if let device = pick(devices) { body(device) }
    }

    private func withProcess(_ body: (AppProcess) -> Void) { withDevice { body($0.launch()) } }

    private func budget() -> Int64 { pick([25_000, 25_000, 300, 2_000]) ?? 25_000 }
}

// MARK: - Steps

extension Run {
    /// The start of the transaction of a change that is committed now. Some are short, and some last as long as a regular sync
    /// allows for.
    private func transactionStart() -> ServerDate {
        let duration = chance(40) ? 0 : number(below: chance(30) ? 5_000 : Int(settings.regular.overlapMilliseconds))
        return ServerDate(millisecondsSince1970: orgNow.millisecondsSince1970 - Int64(duration))
    }

    private func create(_ name: String) {
        guard let user = pick(org.users), let object = pick(AppProcess.objects) else { return }
        let others = org.users.filter { $0 != user && chance(20) }
        _ = org.create(
            object, ["Name": .string(name), DeviceScope.regionField: region()], by: user, hiddenFrom: others,
            at: orgNow, stamped: transactionStart())
    }

    private func region() -> JSONValue {
        settings.hasFilters ? pick(DeviceScope.regions).map { .string($0) } ?? .null : .null
    }

    private func change(_ count: Int) {
        guard let user = pick(org.users) else { return }
        let all = AppProcess.objects.flatMap { org.rows(of: $0, for: user) }
        var changes: [RecordID: Org.Change] = [:]
        for _ in 0..<count {
            guard let row = pick(all) else { return }
            let fields: [String: JSONValue] =
                settings.hasFilters && chance(40)
                ? [DeviceScope.regionField: region()]
                : chance(70)
                    ? ["Name": .string("changed \(nextNumber())")]
                    : [row.object == "Account" ? "Type" : "Status": .string("s\(nextNumber())")]
            changes[row.id] = Org.Change(row.id, fields)
        }
        let sorted = changes.values.sorted { $0.record.description < $1.record.description }
        let isAutomatic = chance(settings.automaticPercent)
        if isAutomatic { self.count(.automaticChange) }
        trace("\(isAutomatic ? "a process of " : "")\(name(user)) changes \(short(sorted.map(\.record)))")
        guard
            let pushes = org.update(
                sorted, by: user, from: isAutomatic ? .automaticProcess : .browser, at: orgNow,
                stamped: transactionStart())
        else { return }
        pushService.send(pushes)
    }

    private func delete() {
        guard let user = pick(org.users), let row = pick(AppProcess.objects.flatMap { org.rows(of: $0, for: user) })
        else { return }
        delete(row.id)
        if chance(40) { hint(row.id, of: row.object, to: user) }
    }

    func delete(_ record: RecordID) {
        count(.deletion)
        trace("\(record) is deleted")
        org.delete(record, at: orgNow, stamped: transactionStart())
    }

    private func hide() {
        guard let user = pick(org.users), let row = pick(AppProcess.objects.flatMap { org.rows(of: $0, for: user) })
        else { return }
        hide(row.id, from: user)
        if chance(40) { hint(row.id, of: row.object, to: user) }
    }

    func hide(_ record: RecordID, from user: RecordID) {
        count(.hiding)
        trace("\(record) is hidden from \(name(user))")
        org.hide(record, from: user)
    }

    /// Sends a push like that of a second trigger, in addition to the standard one.
    func hint(_ record: RecordID, of object: String, to user: RecordID) {
        let payload: JSONValue =
            object == "Account"
            ? [
                "aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": .string(record.description),
                "userId": .string(user.description),
            ]
            : [
                "aps": ["content-available": 1], "type": "INTERACTION",
                "recordIds": .array([.string(record.description)]), "userId": .string(user.description),
            ]
        for device in devices where device.account == user { pushService.send(payload.compactBytes, to: device) }
    }

    private func sendUnusualPush() {
        guard let device = pick(devices), let account = device.account else { return }
        let user = JSONValue.string(account.description)
        let payloads: [JSONValue] = [
            ["aps": ["content-available": 1], "type": "TEST", "message": "Hello", "userId": user],
            ["aps": ["content-available": 1], "type": "UNHEARD_OF", "userId": user],
            ["aps": ["content-available": 1], "type": "INTERACTION", "recordIds": [], "userId": user],
            ["aps": ["content-available": 1], "type": "INTERACTION", "recordIds": ["short", 7], "userId": user],
            ["aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "userId": user],
            ["aps": ["content-available": 1]],
        ]
        if let payload = pick(payloads) { pushService.send(payload.compactBytes, to: device) }
    }

    /// Some users log in for a moment only, and some while other work is under way.
    private func changeUser(_ process: AppProcess) {
        let former = process.device.account
        if chance(30) { process.regularSync(checksGhosts: chance(20), within: budget()) }
        if chance(20) { process.upload(overwrites: false, within: budget()) }
        let user = chance(80) ? pick(org.users) : nil
        let moment = delay(of: process, isLogOut: user == nil)
        let (isDiscarding, comesBack, stay) = (chance(50), chance(50), Int64(number(below: 3_000)))
        timeline.after(moment) { [weak process] in process?.logIn(user, discardingEdits: isDiscarding) }
        if user == nil { drain(process, after: moment + Int64(number(below: 3_000))) }
        guard comesBack else { return }
        timeline.after(moment + stay) { [weak process] in process?.logIn(former, discardingEdits: true) }
    }

    /// The time until a user changes. Meanwhile waiting hints may be fetched with a slow store; or an edit is uploaded of which the
    /// version after the upload cannot be read, so that the record is to be fetched when its user comes back.
    private func delay(of process: AppProcess, isLogOut: Bool) -> Int64 {
        guard chance(50) else { return Int64(number(below: 400)) }
        if isLogOut {
            process.editAndUpload(.change, within: 20_000)
            timeline.after(Int64(number(below: 600))) { [self] in overloadOrg(for: 3_000) }
            return 3_000
        }
        changeRepeatedly(for: process.device)
        process.device.slowStore(for: 10_000)
        drain(process, after: Int64(number(below: 1_000)))
        return Int64(number(below: 3_000))
    }

    private func drain(_ process: AppProcess, after milliseconds: Int64) {
        timeline.after(milliseconds) { [weak process] in process?.drainLater(within: 20_000) }
    }

    private func jump(_ device: AuditedDevice) {
        count(.clockJump)
        let by = Int64(pick([-200_000_000, -3_600_000, -5_000, 5_000, 3_600_000, 200_000_000]) ?? 0)
        device.clockOffset += by
        trace("\(device.name)'s clock jumps by \(by / 1_000) s")
    }

    /// The session is renewed, unless the whole log-in has ended.
    private func endSession(of device: AuditedDevice) {
        guard let tokens = device.tokens else { return }
        guard chance(15), let token = tokens.refreshToken else { return org.endSession(tokens.accessToken) }
        count(.loginNeeded)
        trace("the org ends the log-in of \(device.name)")
        org.endLogIn(token)
    }

    private func losePages() {
        count(.pageLost)
        trace("the org forgets its open queries")
        org.losePages()
    }

    private func forgetDeletions() {
        trace("the org forgets deletions")
        org.forgetDeletions(before: orgNow)
    }
}

// MARK: - The end

extension Run {
    /// Stops all faults and lets all work end.
    func rest() {
        trace("no more faults from here on")
        injectsFaults = false
        for device in devices {
            device.connect(to: .unmetered)
            device.launch().restoreSession()
        }
        settle(until: timeline.now + 14_400_000)
        if settings.uploadsLast {
            for device in devices where device.account != nil { uploadAll(of: device) }
            settle(until: timeline.now + 14_400_000)
        }
        pushService.checkEnds()
        // Checked before the final regular sync, which would hide a lost hint.
        for device in devices where device.account != nil { device.audit.checkUnfetchedHints() }
    }

    /// Uploads all edits except those in conflict with a change in the org.
    private func uploadAll(of device: AuditedDevice) {
        upload(of: device, resolves: true)
        // The user has resolved every conflict, so nothing is left to send.
        upload(of: device, resolves: false)
    }

    private func upload(of device: AuditedDevice, resolves: Bool) {
        trace("\(device.name)'s last upload")
        let outcome = Outcome()
        let process = device.launch()
        wait {
            await withCheckedContinuation { continuation in
                process.upload(overwrites: false, within: 3_600_000) {
                    outcome.uploads = $0
                    continuation.resume()
                }
            }
        }
        wait { [self] in
            for object in AppProcess.objects {
                guard let report = outcome.uploads[object] else { continue }
                let dirty = await device.disk.records(of: object).filter(\.isDirty)
                check(report, of: object, dirty, device)
                for conflict in dirty.compactMap(\.conflict) {
                    device.audit.edits.check(conflict)
                    guard resolves else {
                        reportViolation("\(device.name): \(conflict.key) is in conflict again, but nobody changed it")
                        continue
                    }
                    try? await process.resolve(conflict, of: object, process.store.session(), resolvesAll: true)
                }
            }
        }
    }

    private func check(
        _ report: UploadReport, of object: String, _ dirty: [LocalRecord], _ device: AuditedDevice
    ) {
        guard report.state == .done else {
            let error = report.error.map { "\($0)" } ?? "no error"
            return reportViolation("\(device.name)'s last upload of \(object) is \(report.state.rawValue): \(error)")
        }
        for record in dirty where !report.conflicts.contains(record.key) {
            // The user has deleted the record that it refers to before that was uploaded.
            if !record.references.isEmpty { continue }
            // Its creation had no answer, and the org hides the record from the user since.
            if record.changes.contains(.created), report.refused.contains(record.key) { continue }
            reportViolation("\(device.name)'s last upload left \(record.key) dirty")
        }
    }

    /// Runs one regular sync on each device; then every store must equal what the org shows.
    func finish() {
        for device in devices {
            if device.account == nil { continue }
            trace("\(device.name)'s last regular sync")
            // Only the comparison of all ids finds records that were hidden from a user.
            let checksGhosts = counts[.hiding] != nil || chance(50)
            let outcome = Outcome()
            let process = device.launch()
            wait {
                await withCheckedContinuation { continuation in
                    process.regularSync(checksGhosts: checksGhosts, within: 3_600_000) {
                        outcome.reports = $0
                        continuation.resume()
                    }
                }
            }
            for object in AppProcess.objects {
                guard let report = outcome.reports[object] else { continue }
                if report.state != .done {
                    let error = report.error.map { "\($0)" } ?? "no error"
                    reportViolation(
                        "\(device.name)'s last regular sync of \(object) is \(report.state.rawValue): \(error)")
                }
            }
        }
        settle(until: timeline.now + 120_000)
        for device in devices { compare(device) }
        for row in org.org.records(of: "Interaction") {
            guard case .string(let key)? = row.fields["AccountId"], RecordKey(key)?.id == nil else { continue }
            reportViolation("\(row.id) refers to \(key), which is not a record of the org")
        }
    }

    /// @unchecked: only the thread of the simulation uses it.
    private final class Outcome: @unchecked Sendable {
        var reports: [String: RegularSyncReport] = [:]
        var uploads: [String: UploadReport] = [:]
    }

    private func compare(_ device: AuditedDevice) {
        wait { [self] in
            for object in AppProcess.objects { compare(device, object, await device.disk.records(of: object)) }
            if device.account != nil, device.audit.list.count > 0 {
                let list = device.audit.list
                let left = AppProcess.objects.flatMap { list.pending(of: $0) }.map(\.record)
                reportViolation("\(device.name) still has hints after its regular sync: \(short(left))")
            }
        }
    }

    private func compare(_ device: AuditedDevice, _ object: String, _ records: [LocalRecord]) {
        let local = Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        guard let user = device.account else { return }
        let rows = org.rows(of: object, for: user).filter { settings.isInScope($0.id) && device.scope.contains($0) }
        for row in rows {
            guard let copy = local[.server(row.id)] else {
                reportViolation("\(device.name) lacks \(row.id), which the org shows to \(name(user))")
                continue
            }
            if copy.isDirty {
                compare(copy, row.id, user, device)
                continue
            }
            if copy.isGone { reportViolation("\(device.name) marks \(row.id) as gone, but it exists") }
            for field in device.scope.fields(of: object) where copy.fields[field] == nil {
                reportViolation("\(device.name) lacks \(field) of \(row.id)")
            }
            let wanted = org.record(row.id, fields: Array(copy.fields.keys), for: user)?.fields
            if copy.fields != wanted { reportViolation("\(device.name) has other values in \(row.id) than the org") }
        }
        let shown = Set(rows.map(\.id))
        for copy in records where !copy.isDirty && !copy.isGone {
            guard let id = copy.key.id, !shown.contains(id), settings.isInScope(id) else { continue }
            reportViolation("\(device.name) has \(id), which \(scopeText(id, user))")
        }
    }

    private func scopeText(_ id: RecordID, _ user: RecordID) -> String {
        org.shows(id, to: user) ? "does not match its filter" : "the org does not show to \(name(user))"
    }

    /// A record with edits has the org's values in all other fields.
    private func compare(_ copy: LocalRecord, _ id: RecordID, _ user: RecordID, _ device: AuditedDevice) {
        if copy.changes.contains(.created) || copy.theirs != nil || copy.changes.contains(.deleted) { return }
        let unsent = copy.unsent()
        let wanted = org.record(id, fields: EditAudit.fields, for: user)?.fields ?? [:]
        for field in EditAudit.fields where unsent[field] == nil && copy.fields[field] != nil {
            guard copy.fields[field] != wanted[field] else { continue }
            reportViolation("\(device.name) has another value in \(field) of \(id), which it has not edited")
        }
    }
}
