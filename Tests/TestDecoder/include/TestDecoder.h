// A decoder for GStreamer that claims to be hardware, and fails or hangs on request.
//
// It takes H.264 of 176 x 144 pixels only, so that it disturbs no other test of the process.
#pragma once

/// Registers the decoder, with a higher rank than all others.
void test_decoder_register(void);

/// Registers another decoder, for 192 x 144 pixels, which no pipeline chooses: its rank is none.
void test_decoder_register_unranked(const char *plugin);

/// Lets the next decoders fail: -1 when they start, another number after so many buffers, 0 never.
void test_decoder_fail(int buffers);

/// Lets the next decoders hang after so many buffers; 0 never.
void test_decoder_hang(int buffers);

/// The number of buffers that all decoders have decoded so far.
int test_decoder_count(void);
