import OrgSimulator
import PushDispatch
import SelectiveSync

/// Steps of the script in which several things happen within seconds or minutes. Steps that the seed picks one by one hardly ever
/// coincide in these ways.
extension Run {
    func coincide() {
        guard let device = pick(devices) else { return }
        switch number(below: 10) {
        case 0..<2: changeRepeatedly(for: device)
        case 2..<4: overload(device)
        case 4..<6: deleteDuringFetch(by: device)
        case 6..<8: uploadSlowly(from: device)
        default: interruptSync(of: device)
        }
    }

    /// The user of a device changes two records several times within a moment. Pushes come in while requests for earlier ones are
    /// prepared or in flight.
    func changeRepeatedly(for device: AuditedDevice) {
        guard let user = device.account, let object = pick(AppProcess.objects) else { return }
        let rows = (0..<2).compactMap { _ in pick(org.rows(of: object, for: user)) }
        if chance(60) { device.slowStore(for: 3_000) }
        for _ in 0..<(3 + number(below: 4)) {
            timeline.after(Int64(number(below: 1_500))) { [self] in
                if let row = pick(rows) { change(row.id, by: user) }
            }
        }
    }

    /// The org is overloaded, and meanwhile pushes come in. Most name records that have not changed.
    private func overload(_ device: AuditedDevice) {
        guard let user = device.account, let object = pick(AppProcess.objects) else { return }
        let length = pick([10_000, 60_000, 300_000]) ?? 10_000
        overloadOrg(for: Int64(length))
        for _ in 0..<(2 + number(below: 5)) {
            timeline.after(Int64(number(below: length))) { [self] in
                guard injectsFaults, let row = pick(org.rows(of: object, for: user)) else { return }
                if chance(30) { change(row.id, by: user) } else { hint(row.id, of: object, to: user) }
            }
        }
    }

    /// A device fetches a record, and the answer takes long. Before it arrives, the record is deleted or hidden, and the device
    /// learns that by a regular sync or by its own upload.
    private func deleteDuringFetch(by device: AuditedDevice) {
        guard let user = device.account, let object = pick(AppProcess.objects),
            let row = pick(org.rows(of: object, for: user))
        else { return }
        let process = device.launch()
        device.slow.fetches = 1
        change(row.id, by: user)
        let isDeletedHere = chance(30)
        timeline.after(Int64(2_000 + number(below: 3_000))) { [self, weak process] in
            guard injectsFaults, let process, process.clock.isRunning else { return }
            if isDeletedHere { return process.editAndUpload(.delete, of: row.id, within: 20_000) }
            if chance(20) {
                hide(row.id, from: user)
            } else {
                delete(row.id)
            }
            process.regularSync(checksGhosts: chance(50), within: 10_000)
        }
    }

    /// A device uploads an edit, and the answer takes long, or comes too late. Meanwhile a regular sync may read the record. Then the
    /// org may be overloaded, so that the version after the upload cannot be read, and the user may edit the record once more.
    private func uploadSlowly(from device: AuditedDevice) {
        guard let user = device.account, let object = pick(AppProcess.objects),
            let row = pick(org.rows(of: object, for: user))
        else { return }
        let process = device.launch()
        device.slow.changes = 1
        process.editAndUpload(.change, of: row.id, within: pick([60_000, 10_000]) ?? 60_000)
        if chance(50) {
            timeline.after(4_000) { [self, weak process] in
                if injectsFaults { process?.regularSync(checksGhosts: false, within: 8_000) }
            }
        }
        if chance(50) { timeline.after(12_000) { [self] in overloadOrg(for: 10_000) } }
        guard chance(50) else { return }
        timeline.after(20_000) { [self, weak process] in
            if injectsFaults { process?.editAndUpload(.change, of: row.id, within: 20_000) }
        }
    }

    /// A device reads all records of an object again, stops between two pages, and goes on minutes later, when the org still knows
    /// the pages. Others change the record that came first soon after the stop, and the one that comes last soon before the rest is
    /// read.
    private func interruptSync(of device: AuditedDevice) {
        guard let user = device.account, let object = pick(AppProcess.objects) else { return }
        let rows = org.rows(of: object, for: user).sorted { $0.systemModstamp < $1.systemModstamp }
        guard let first = rows.first, let last = rows.last else { return }
        let process = device.launch()
        process.resync(object)
        let budget = Int64(200 + number(below: 700))
        let pause = Int64(660_000 + number(below: 210_000))
        timeline.after(500) { [weak process] in process?.regularSync(checksGhosts: false, within: budget) }
        for (moment, row) in [(3_000 + Int64(number(below: 5_000)), first), (pause - 5_000, last)] {
            timeline.after(moment) { [self] in
                let others = org.users.filter { $0 != user && org.shows(row.id, to: $0) }
                change(row.id, by: pick(others) ?? user)
            }
        }
        timeline.after(pause) { [self] in
            if injectsFaults { device.launch().regularSync(checksGhosts: false, within: 25_000) }
        }
    }

    /// A change that is committed at once.
    private func change(_ record: RecordID, by user: RecordID) {
        guard injectsFaults else { return }
        trace("\(name(user)) changes \(record)")
        let change = Org.Change(record, ["Name": .string("changed \(nextNumber())")])
        pushService.send(org.update([change], by: user, at: orgNow) ?? [])
    }
}
