import PushDispatch
import Testing

@testable import SelectiveSync

struct StampsTests {
    private func at(_ milliseconds: Int64) -> ServerDate { ServerDate(millisecondsSince1970: milliseconds) }

    @Test func `the system's stamp decides, else the user's`() {
        let both = Stamps(system: at(2), user: at(9))
        #expect(both.age(against: Stamps(system: at(3), user: at(1))) == .older)
        #expect(both.age(against: Stamps(system: at(2), user: at(1))) == .same)
        #expect(both.age(against: Stamps(user: at(1))) == .newer)
        #expect(both.age(against: Stamps()) == nil)
        #expect(Stamps(system: at(1)).age(against: Stamps(user: at(1))) == nil)
    }

    @Test func `a date that is not plausible or not readable is no stamp`() {
        let stamps = Stamps(["SystemModstamp": "3000-01-01T00:00:00Z", "LastModifiedDate": "soon"])
        #expect(stamps == Stamps())
        #expect(Stamps(["LastModifiedDate": "1970-01-01T00:00:00.005Z", "SystemModstamp": 7]).newest == at(5))
    }
}
