import APNSModel
import APNSPayload
import Testing

struct PushTypesTests {
    @Test func `every push type is an element of the set`() {
        let all: [PushTypes] = [
            .alert, .background, .complication, .controls, .fileprovider, .liveactivity, .location, .mdm, .pushtotalk,
            .voip, .widgets,
        ]
        #expect(PushType.known.map { PushTypes(of: $0) } == all)
        #expect(PushTypes(of: nil) == .absent)
        #expect(PushTypes(of: PushType(rawValue: "future")) == .undocumented)
        #expect(PushTypes.any.isSuperset(of: [.absent, .undocumented, .widgets]))
        #expect(PushTypes([.voip, .alert, .absent]).documented == [.alert, .voip])
    }
}
