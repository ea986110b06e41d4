#if VLC
import Testing

@testable import VLCBackend

@Suite struct AudioOutputProbeTests {
    @Test(arguments: [
        ("tcp:host", "pulse"), ("{id}tcp:host", "pulse"), ("unix:/no/socket tcp:host", "pulse"),
        ("unix:/no/socket", "adummy"), ("/no/socket", "adummy"), ("{id}unix:/no/socket", "adummy"),
    ])
    func theAddressOfAnAudioServerIsParsed(server: String, module: String) {
        let probe = AudioOutputProbe(.pulse, environment: ["PULSE_SERVER": server], soundDevices: "/no/devices")
        #expect(probe.module == module)
        #expect((probe.notice == nil) == (module == "pulse"))
    }

    @Test func noOutputNeedsNoNotice() {
        let probe = AudioOutputProbe(.none, environment: [:], soundDevices: "/no/devices")
        #expect(probe.module == "adummy")
        #expect(probe.notice == nil)
    }

    @Test func aMissingDeviceIsReportedWithItsReason() {
        let environment = ["PULSE_SERVER": "unix:/no/socket"]
        for (output, reason) in [(AudioOutput.auto, "no audio device"), (.pulse, "PulseAudio"), (.alsa, "ALSA")] {
            let probe = AudioOutputProbe(output, environment: environment, soundDevices: "/no/devices")
            #expect(probe.notice?.message.contains(reason) == true)
        }
    }
}
#endif
